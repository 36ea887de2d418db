package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Command.Flag;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a request does to one of its keys, in the terms of Redis. */
enum KeyUse {
  /** Reveals no more than whether it exists, its kind and its length. */
  LOOKS("RO"),
  READS("RO access"),
  /** Reads what it may rewrite in another form. */
  REVISES("RW access"),
  UPDATES("RW update"),
  INSERTS("RW insert"),
  DELETES("RW delete"),
  REMOVES("RM delete"),
  READS_AND_UPDATES("RW access update"),
  READS_AND_INSERTS("RW access insert"),
  READS_AND_DELETES("RW access delete"),
  OVERWRITES("OW update"),
  CREATES("OW insert");

  /**
   * For commands that do not simply read or update all keys: one letter for each key, the last one
   * for all further keys. The letters are those of {@link #of(char)}, and g and c for commands
   * whose options decide.
   */
  private static final Map<String, String> LETTERS = new HashMap<>();

  private static final Set<String> GET = Set.of("get");
  private static final Set<String> CHANGES = Set.of("set", "incrby");

  static {
    put(
        "l",
        "exists hexists hlen hstrlen llen memory|usage object|encoding object|freq object|idletime"
            + " object|refcount scard sismember strlen touch type watch xlen zcard");
    put("a", "pfcount");
    put(
        "i",
        "append hsetnx linsert lpush lpushx pfadd rpush rpushx sadd xgroup|create"
            + " xgroup|createconsumer");
    put(
        "d",
        "hdel lrem ltrim srem zrem zremrangebylex zremrangebyrank zremrangebyscore xdel xtrim"
            + " xautoclaim xgroup|delconsumer xgroup|destroy");
    put("r", "xreadgroup");
    put("x", "del unlink");
    put(
        "b",
        "decr decrby getex getset hincrby hincrbyfloat eval evalsha incr incrby incrbyfloat move setbit"
            + " zincrby");
    put(
        "p",
        "blmpop blpop brpop bzmpop bzpopmax bzpopmin getdel lmpop lpop rpop spop zmpop zpopmax"
            + " zpopmin");
    put("o", "mset psetex restore setex");
    put("n", "msetnx setnx");
    put("g", "set");
    put("c", "bitfield");
    put("mr", "pfmerge");
    put("pi", "blmove brpoplpush lmove rpoplpush smove");
    put("po", "rename");
    put("pn", "renamenx");
    put("ro", "copy georadius georadiusbymember sort");
    put("ur", "sinterstore");
    put(
        "or",
        "bitop geosearchstore sdiffstore sunionstore zdiffstore zinterstore zrangestore"
            + " zunionstore");
  }

  private final String flags;

  KeyUse(String flags) {
    this.flags = flags;
  }

  private static void put(String letters, String names) {
    for (String name : names.split(" ")) {
      LETTERS.put(name, letters);
    }
  }

  /** The words of COMMAND GETKEYSANDFLAGS. */
  List<String> flags() {
    return List.of(flags.split(" "));
  }

  boolean reads() {
    return flags.contains("access");
  }

  boolean writes() {
    return flags.contains("update") || flags.contains("insert") || flags.contains("delete");
  }

  /**
   * The use of a key in a request.
   *
   * @param i how many of {@link Command#keys} are before it
   */
  static KeyUse of(Command command, byte[][] request, int i) {
    String letters = LETTERS.get(command.name());
    if (letters == null) {
      return command.is(Flag.WRITE) ? UPDATES : READS;
    }
    char letter = letters.charAt(Math.min(i, letters.length() - 1));
    return switch (letter) {
      case 'g' -> names(request, 3, GET) ? READS_AND_UPDATES : OVERWRITES;
      case 'c' -> names(request, 2, CHANGES) ? READS_AND_UPDATES : READS;
      default -> of(letter);
    };
  }

  private static KeyUse of(char letter) {
    return switch (letter) {
      case 'l' -> LOOKS;
      case 'r' -> READS;
      case 'a' -> REVISES;
      case 'u' -> UPDATES;
      case 'i' -> INSERTS;
      case 'd' -> DELETES;
      case 'x' -> REMOVES;
      case 'b' -> READS_AND_UPDATES;
      case 'm' -> READS_AND_INSERTS;
      case 'p' -> READS_AND_DELETES;
      case 'o' -> OVERWRITES;
      case 'n' -> CREATES;
      default -> throw new IllegalArgumentException(String.valueOf(letter));
    };
  }

  /** Whether a word, from a position on, is one of these. */
  private static boolean names(byte[][] request, int from, Set<String> wanted) {
    return Arrays.stream(request).skip(from).anyMatch(each -> wanted.contains(Bytes.word(each)));
  }
}
