package io.kvstadium.server.protocol;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Numbers in requests and values. */
public final class Numbers {
  private Numbers() {}

  /** A decimal integer without spaces, plus sign or leading zeros, as in Redis. */
  public static long integer(byte[] text) {
    return integer(text, "value is not an integer or out of range");
  }

  /** An integer, or a given error if it is not one. */
  public static long integer(byte[] text, String error) {
    long value = integer(text, 0);
    if (value == 0 && !(text.length == 1 && text[0] == '0')) {
      throw ReplyException.error(error);
    }
    return value;
  }

  /** An integer, or a fallback if it is not one. */
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

  /** An integer within bounds. */
  public static int integer(byte[] text, int min, int max) {
    long value = integer(text);
    if (value < min || value > max) {
      throw ReplyException.error("value is out of range, value must between %d and %d", min, max);
    }
    return (int) value;
  }

  /** The sum, or an error if it exceeds 64 bits. */
  public static long sum(long number, long by) {
    long sum = number + by;
    if (((number ^ sum) & (by ^ sum)) < 0) {
      throw ReplyException.error("increment or decrement would overflow");
    }
    return sum;
  }

  /** A number that is not negative. */
  public static long positive(byte[] text) {
    long value = integer(text, -1);
    if (value < 0) {
      throw ReplyException.error("value is out of range, must be positive");
    }
    return value;
  }

  /** A number, also {@code inf}, but never NaN. */
  public static double real(byte[] text) {
    double value = realOrNone(text);
    if (Double.isNaN(value)) {
      throw ReplyException.notFloat();
    }
    return value;
  }

  public static boolean isReal(byte[] text) {
    return !Double.isNaN(realOrNone(text));
  }

  private static double realOrNone(byte[] text) {
    String word = new String(text, StandardCharsets.US_ASCII);
    switch (word.toLowerCase(java.util.Locale.ROOT)) {
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

  /** The shortest decimal for the same number, without an exponent if it is readable. */
  public static String text(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e17) {
      return value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value);
    }
    BigDecimal exact = new BigDecimal(Double.toString(value));
    String plain = exact.stripTrailingZeros().toPlainString();
    return plain.length() <= 21
        ? plain
        : Double.toString(value)
            .replaceFirst("\\.0E", "E")
            .replaceFirst("E([0-9])", "e+$1")
            .replace('E', 'e');
  }

  public static byte[] bytes(long value) {
    return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
  }
}
