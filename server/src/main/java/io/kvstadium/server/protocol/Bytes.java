package io.kvstadium.server.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A byte string that can be a key of a map. Nobody changes it. Comparable, so that clients that
 * choose strings with the same hash do not slow a map down.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
public record Bytes(byte[] value) implements Comparable<Bytes> {
  /** Bytes of the longest string, as in Redis. */
  public static final int MAX_LENGTH = 512 << 20;

  /** No name of a command, an option or a parameter is that long. */
  private static final int MAX_COMPARED = 128;

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

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The beginning of a string that may be large, for a message. */
  public static String start(byte[] bytes, int max) {
    return new String(bytes, 0, Math.min(bytes.length, max), StandardCharsets.UTF_8);
  }

  /** An argument, for comparing: in lower case, and of a large one only the beginning. */
  public static String lowerCase(byte[] bytes) {
    int length = Math.min(bytes.length, MAX_COMPARED);
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
  }
}
