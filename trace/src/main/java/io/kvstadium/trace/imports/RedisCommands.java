package io.kvstadium.trace.imports;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Commands of Redis, as MONITOR prints them or as a file has them, one per line. What has no
 * counterpart in a store of keys and values, such as lists, is counted and left out.
 */
final class RedisCommands {
  /** How options give an expiry. */
  private static final Set<String> EXPIRIES = Set.of("EX", "PX", "EXAT", "PXAT");

  private static final Set<String> SILENT =
      Set.of(
          "PING",
          "SELECT",
          "AUTH",
          "HELLO",
          "CLIENT",
          "CONFIG",
          "INFO",
          "COMMAND",
          "ECHO",
          "MONITOR",
          "QUIT",
          "WAIT",
          "ROLE",
          "REPLCONF",
          "PSYNC",
          "DEBUG",
          "MEMORY",
          "LATENCY",
          "SLOWLOG",
          "WATCH",
          "UNWATCH");

  private final Output output;

  /** When commands without a time are taken to be, as Redis would take them: now. */
  private final long now;

  private boolean timed;

  RedisCommands(Output output, long now) {
    this.output = output;
    this.now = now;
  }

  /** A line such as {@code 1339518083.107412 [0 127.0.0.1:60866] "get" "x"}. */
  void monitor(String line) throws BadRecord, IOException {
    if (line.isEmpty() || line.equals("OK")) {
      return;
    }
    int open = line.indexOf(" [");
    int close = line.indexOf("] ", open + 1);
    int space = line.indexOf(' ', open + 2);
    if (open < 0 || close < 0 || space < 0 || space > close) {
      throw new BadRecord("it is not of the form TIME [DATABASE CLIENT] \"COMMAND\" …");
    }
    String table;
    timed = true;
    try {
      output.at(line.substring(space + 1, close), microseconds(line.substring(0, open)) * 1000);
      int database = Integer.parseInt(line.substring(open + 2, space));
      table = database == 0 ? Store.DEFAULT_TABLE : "db" + database;
    } catch (NumberFormatException e) {
      throw new BadRecord("its time or its database is not a number");
    }
    command(words(line.substring(close + 2)), table);
  }

  private static long microseconds(String seconds) {
    int point = seconds.indexOf('.');
    return point < 0
        ? Long.parseLong(seconds) * 1_000_000
        : Long.parseLong(seconds.substring(0, point)) * 1_000_000
            + Long.parseLong((seconds.substring(point + 1) + "000000").substring(0, 6));
  }

  /** A command without a time: each is a microsecond after the one before. */
  void plain(String line, long number) throws BadRecord, IOException {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    if (line.contains("__key__") || line.contains("__data__")) {
      throw new BadRecord("it has a placeholder, which memtier replaces when it runs");
    }
    if (line.matches("\\*\\d+")) {
      throw new CorruptException(
          "this is Redis' protocol, as in an append-only file, which has writes only: record what"
              + " redis-cli monitor prints, or give commands as text, one per line");
    }
    output.at("", number * 1000);
    command(words(line), Store.DEFAULT_TABLE);
  }

  /** Splits at blanks; quoted words have the escapes of redis-cli. */
  static List<byte[]> words(String line) throws BadRecord {
    List<byte[]> words = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      char quote = line.charAt(at);
      if (quote == ' ' || quote == '\t') {
        at++;
        continue;
      }
      StringBuilder word = new StringBuilder();
      if (quote == '"' || quote == '\'') {
        at++;
        while (true) {
          if (at >= line.length()) {
            throw new BadRecord("a quote is not closed");
          }
          char next = line.charAt(at++);
          if (next == quote) {
            break;
          }
          if (next == '\\' && quote == '"' && at < line.length()) {
            next = line.charAt(at++);
            if (next == 'x' && at + 2 <= line.length()) {
              try {
                next = (char) Integer.parseInt(line, at, at + 2, 16);
              } catch (NumberFormatException e) {
                throw new BadRecord("\\x is not followed by two hexadecimal digits");
              }
              at += 2;
            } else {
              next =
                  switch (next) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    case 'b' -> '\b';
                    case 'a' -> '\u0007';
                    default -> next;
                  };
            }
          }
          word.append(next);
        }
      } else {
        while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
          word.append(line.charAt(at++));
        }
      }
      words.add(word.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
    return words;
  }

  private void command(List<byte[]> words, String table) throws BadRecord, IOException {
    if (words.isEmpty()) {
      throw new BadRecord("it has no command");
    }
    String name = text(words, 0).toUpperCase(Locale.ROOT);
    switch (name) {
      case "GET", "GETRANGE", "SUBSTR", "STRLEN" -> output.add(Kind.GET, table, key(words, 1), -1);
      case "GETEX" -> {
        output.add(Kind.GET, table, key(words, 1), -1);
        if (words.size() > 2) {
          boolean persists = text(words, 2).equalsIgnoreCase("PERSIST");
          expire(table, key(words, 1), persists ? -1 : ttl(words, 2, 3), persists);
        }
      }
      case "GETDEL" -> {
        output.add(Kind.GET, table, key(words, 1), -1);
        output.add(Kind.DELETE, table, key(words, 1), -1);
      }
      case "TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME", "TYPE" ->
          output.add(Kind.CONTAINS, table, key(words, 1), -1);
      case "EXISTS", "TOUCH" -> all(Kind.CONTAINS, words, 1, table);
      case "MGET" -> all(Kind.GET, words, 1, table);
      case "DEL", "UNLINK" -> all(Kind.DELETE, words, 1, table);
      case "SET" -> set(words, table);
      case "SETEX", "PSETEX" ->
          output.expiring(
              Kind.PUT_EXPIRING,
              table,
              key(words, 1),
              key(words, 3).length,
              ttl(name.equals("SETEX") ? "EX" : "PX", words, 2));
      case "SETNX" -> output.add(Kind.PUT_IF, table, key(words, 1), key(words, 2).length);
      case "GETSET" -> {
        output.add(Kind.GET, table, key(words, 1), -1);
        output.add(Kind.PUT, Outcome.OK, table, key(words, 1), key(words, 2).length);
      }
      case "MSET", "MSETNX" -> {
        if (words.size() < 3 || words.size() % 2 == 0) {
          throw new BadRecord("its command has a key without a value");
        }
        output.bound(Kind.BATCH, "");
        for (int i = 1; i + 1 < words.size(); i += 2) {
          output.add(Kind.PUT, Outcome.OK, table, words.get(i), words.get(i + 1).length);
        }
        output.bound(Kind.BATCH_END, "");
      }
      case "INCR", "DECR", "INCRBY", "DECRBY", "INCRBYFLOAT", "APPEND", "SETRANGE" -> {
        output.add(Kind.GET, table, key(words, 1), -1);
        output.add(Kind.PUT, Outcome.OK, table, key(words, 1), -1);
      }
      case "EXPIRE" -> expire(table, key(words, 1), ttl("EX", words, 2), false);
      case "PEXPIRE" -> expire(table, key(words, 1), ttl("PX", words, 2), false);
      case "EXPIREAT" -> expire(table, key(words, 1), ttl("EXAT", words, 2), false);
      case "PEXPIREAT" -> expire(table, key(words, 1), ttl("PXAT", words, 2), false);
      case "PERSIST" -> expire(table, key(words, 1), -1, true);
      case "KEYS" -> output.range(Kind.SCAN, table, null, null, -1, 8);
      case "SCAN" -> output.range(Kind.SCAN, table, null, null, count(words), 8);
      case "FLUSHDB", "FLUSHALL" -> output.bound(Kind.CLEAR, table);
      case "MULTI" -> output.bound(Kind.BEGIN, "");
      case "EXEC" -> output.bound(Kind.COMMIT, "");
      case "DISCARD" -> output.bound(Kind.ROLLBACK, "");
      default -> {
        if (!SILENT.contains(name)) {
          output.unsupported(name);
        }
      }
    }
  }

  /** A new expiry, or none any more; one that has passed removes the key. */
  private void expire(String table, byte[] key, long ttl, boolean persists) throws IOException {
    if (persists || ttl > 0) {
      output.expiring(Kind.EXPIRE, table, key, -1, ttl);
    } else {
      output.add(Kind.DELETE, table, key, -1);
    }
  }

  /** The milliseconds that an option and the number after it give. */
  private long ttl(List<byte[]> words, int option, int value) throws BadRecord {
    String name = text(words, option).toUpperCase(Locale.ROOT);
    if (!EXPIRIES.contains(name)) {
      throw new BadRecord("its command has an option '" + name + "' that is not known");
    }
    return ttl(name, words, value);
  }

  private long ttl(String option, List<byte[]> words, int index) throws BadRecord {
    long number = number(words, index);
    try {
      long millis = option.startsWith("EX") ? Math.multiplyExact(number, 1000L) : number;
      return option.endsWith("AT")
          ? Math.subtractExact(millis, timed ? output.milliseconds() : now)
          : millis;
    } catch (ArithmeticException e) {
      throw new BadRecord("argument " + index + " of its command is no time: it is too large");
    }
  }

  private static long count(List<byte[]> words) throws BadRecord {
    for (int i = 2; i + 1 < words.size(); i++) {
      if (text(words, i).equalsIgnoreCase("COUNT")) {
        return number(words, i + 1);
      }
    }
    return 10; // Redis' default
  }

  private void set(List<byte[]> words, String table) throws BadRecord, IOException {
    byte[] key = key(words, 1);
    int length = key(words, 2).length;
    boolean expires = false;
    boolean conditional = false;
    long ttl = -1;
    for (int i = 3; i < words.size(); i++) {
      String option = text(words, i).toUpperCase(Locale.ROOT);
      if (EXPIRIES.contains(option)) {
        expires = true;
        ttl = ttl(option, words, ++i);
      } else if (option.equals("GET")) {
        output.add(Kind.GET, table, key, -1);
      } else if (!option.equals("KEEPTTL")) {
        conditional = true;
        if (!option.equals("NX") && !option.equals("XX")) {
          throw new BadRecord("SET has an option '" + option + "' that is not known");
        }
      }
    }
    if (conditional) {
      output.add(Kind.PUT_IF, table, key, length);
      if (expires) {
        output.unsupported("the expiry of SET with NX or XX");
      }
    } else if (!expires) {
      output.add(Kind.PUT, Outcome.OK, table, key, length);
    } else if (ttl > 0) {
      output.expiring(Kind.PUT_EXPIRING, table, key, length, ttl);
    } else {
      output.add(Kind.DELETE, table, key, -1);
    }
  }

  /** Several keys are one call. */
  private void all(Kind kind, List<byte[]> words, int from, String table)
      throws BadRecord, IOException {
    key(words, from);
    boolean several = words.size() > from + 1;
    if (several) {
      output.bound(Kind.BATCH, "");
    }
    for (int i = from; i < words.size(); i++) {
      output.add(kind, table, words.get(i), -1);
    }
    if (several) {
      output.bound(Kind.BATCH_END, "");
    }
  }

  private static byte[] key(List<byte[]> words, int index) throws BadRecord {
    if (index >= words.size()) {
      throw new BadRecord("its command has too few arguments");
    }
    return words.get(index);
  }

  private static long number(List<byte[]> words, int index) throws BadRecord {
    key(words, index);
    try {
      return Long.parseLong(text(words, index));
    } catch (NumberFormatException e) {
      throw new BadRecord("argument " + index + " of its command is not a number");
    }
  }

  private static String text(List<byte[]> words, int index) {
    return new String(words.get(index), StandardCharsets.ISO_8859_1);
  }
}
