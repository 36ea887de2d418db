package io.kvstadium.server.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A byte string that can be a key of a map. Nobody changes it. Comparable, so that clients that
 * choose strings with the same hash do not slow a map down.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
record Bytes(byte[] value) implements Comparable<Bytes> {
  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes same && Arrays.equals(value, same.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return text(value);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A word of a request, for comparing: in lower case. */
  static String word(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
  }
}
