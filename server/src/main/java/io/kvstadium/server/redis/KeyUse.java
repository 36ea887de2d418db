package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Command.Flag;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What a request does to one of its keys, in terms of the key rules of Redis' ACL. */
enum KeyUse {
  /** Reveals no more than whether it exists, its kind and its length. */
  LOOKS,
  READS,
  WRITES,
  READS_AND_WRITES;

  /**
   * For commands that do not simply read or write all keys: one letter for each key, the last one
   * for all further keys. l looks, r reads, w writes, b both.
   */
  private static final Map<String, String> LETTERS = new HashMap<>();

  private static final Set<String> GET = Set.of("get");
  private static final Set<String> CHANGES = Set.of("set", "incrby");

  static {
    put(
        "l",
        "exists hexists hlen hstrlen llen memory|usage object|encoding object|freq object|idletime"
            + " object|refcount scard sismember strlen touch type watch zcard");
    put(
        "b",
        "blmpop blpop brpop bzmpop bzpopmax bzpopmin decr decrby getdel getex getset"
            + " hincrby hincrbyfloat incr incrby incrbyfloat lmpop lpop move rpop setbit spop"
            + " zincrby zmpop zpopmax zpopmin");
    put("g", "set");
    put("c", "bitfield");
    put("br", "pfmerge");
    put("bw", "blmove brpoplpush lmove rename renamenx rpoplpush smove");
    put("rw", "copy georadius georadiusbymember sort");
    put(
        "wr",
        "bitop geosearchstore sdiffstore sinterstore sunionstore zdiffstore zinterstore"
            + " zrangestore zunionstore");
  }

  private static void put(String letters, String names) {
    for (String name : names.split(" ")) {
      LETTERS.put(name, letters);
    }
  }

  boolean reads() {
    return this == READS || this == READS_AND_WRITES;
  }

  boolean writes() {
    return this == WRITES || this == READS_AND_WRITES;
  }

  /**
   * The use of a key in a request.
   *
   * @param i how many of {@link Command#keys} are before it
   */
  static KeyUse of(Command command, byte[][] request, int i) {
    String letters = LETTERS.get(command.name());
    if (letters == null) {
      return command.is(Flag.WRITE) ? WRITES : READS;
    }
    return switch (letters.charAt(Math.min(i, letters.length() - 1))) {
      case 'l' -> LOOKS;
      case 'r' -> READS;
      case 'w' -> WRITES;
      case 'b' -> READS_AND_WRITES;
      case 'g' -> names(request, 3, GET) ? READS_AND_WRITES : WRITES;
      default -> names(request, 2, CHANGES) ? READS_AND_WRITES : READS;
    };
  }

  /** Whether a word, from a position on, is one of these. */
  private static boolean names(byte[][] request, int from, Set<String> wanted) {
    return Arrays.stream(request).skip(from).anyMatch(each -> wanted.contains(Bytes.word(each)));
  }
}
