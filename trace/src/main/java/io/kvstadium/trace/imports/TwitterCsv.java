package io.kvstadium.trace.imports;

import io.kvstadium.store.Store;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lines of the public traces of Twitter's caches: time in seconds, key, length of the key, length
 * of the value, client, operation, seconds until it expires (github.com/twitter/cache-trace). The
 * keys in them are not as long as they were: they are made as long.
 */
final class TwitterCsv {
  private static final int FIELDS = 7;
  private static final int MAX_KEY = 1 << 12;

  /** So that nanoseconds fit. */
  private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000;

  private final Output output;

  TwitterCsv(Output output) {
    this.output = output;
  }

  void line(String line) throws BadRecord, IOException {
    if (line.isEmpty()) {
      return;
    }
    String[] fields = new String[FIELDS];
    int end = line.length();
    for (int i = FIELDS - 1; i > 1; i--) { // from the right: a key may have commas
      int comma = line.lastIndexOf(',', end - 1);
      if (comma < 0) {
        throw new BadRecord("it has fewer than 7 fields");
      }
      fields[i] = line.substring(comma + 1, end);
      end = comma;
    }
    int comma = line.indexOf(',');
    if (comma >= end) {
      throw new BadRecord("it has fewer than 7 fields");
    }
    byte[] key = line.substring(comma + 1, end).getBytes(StandardCharsets.ISO_8859_1);
    long seconds = number(line.substring(0, comma), "time");
    long keyLength = number(fields[2], "length of the key");
    long length = number(fields[3], "length of the value");
    long ttl = number(fields[6].strip(), "time to live");
    if (seconds < 0 || seconds > MAX_SECONDS || ttl < 0 || ttl > MAX_SECONDS || length < 0) {
      throw new BadRecord("its time, length or time to live is below 0 or too large");
    }
    if (keyLength > MAX_KEY) {
      throw new BadRecord("its key is longer than " + MAX_KEY + " bytes");
    }
    if (keyLength > key.length) {
      key = Arrays.copyOf(key, (int) keyLength);
    }
    output.at(fields[4], seconds * 1_000_000_000);
    String table = Store.DEFAULT_TABLE;
    switch (fields[5]) {
      case "get", "gets" -> // misses have no length, as do empty values
          output.add(
              Kind.GET,
              length > 0 ? Outcome.OK : Outcome.UNKNOWN,
              table,
              key,
              length > 0 ? length : -1);
      case "set" -> {
        if (ttl > 0) {
          output.expiring(Kind.PUT_EXPIRING, table, key, length, ttl * 1000);
        } else {
          output.add(Kind.PUT, Outcome.OK, table, key, length);
        }
      }
      case "add", "replace", "cas" -> output.add(Kind.PUT_IF, table, key, length);
      case "append", "prepend", "incr", "decr" ->
          output.add(Kind.PUT, Outcome.OK, table, key, length);
      case "delete" -> output.add(Kind.DELETE, table, key, -1);
      default -> throw new BadRecord("there is no operation '" + fields[5] + "'");
    }
  }

  private static long number(String text, String what) throws BadRecord {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new BadRecord("its " + what + " '" + text + "' is not a whole number");
    }
  }
}
