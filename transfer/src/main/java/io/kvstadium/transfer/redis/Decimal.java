package io.kvstadium.transfer.redis;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Numbers as Redis reads and writes them. */
public final class Decimal {
  private Decimal() {}

  /**
   * A decimal integer without spaces, plus sign or leading zeros, or a fallback if it is not one.
   */
  public static long integer(byte[] text, long fallback) {
    int length = text.length;
    if (length == 0 || length > 20) {
      return fallback;
    }
    boolean negative = text[0] == '-';
    int at = negative ? 1 : 0;
    if (at == length || (text[at] == '0' && length > 1)) {
      return fallback;
    }
    long value = 0;
    for (; at < length; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        return fallback;
      }
      // counts down: the least long has no positive counterpart
      if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
        return fallback;
      }
      value = value * 10 - digit;
    }
    if (!negative && value == Long.MIN_VALUE) {
      return fallback;
    }
    return negative ? value : -value;
  }

  /** A number, also {@code inf}; NaN for what is none. */
  public static double real(byte[] text) {
    String word = new String(text, StandardCharsets.US_ASCII);
    switch (word.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-inf", "-infinity" -> {
        return Double.NEGATIVE_INFINITY;
      }
      default -> {}
    }
    if (!word.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")) {
      return Double.NaN;
    }
    return Double.parseDouble(word);
  }

  public static byte[] bytes(long value) {
    return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
  }
}
