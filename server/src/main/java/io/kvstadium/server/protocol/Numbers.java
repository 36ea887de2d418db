package io.kvstadium.server.protocol;

import io.kvstadium.transfer.redis.Decimal;
import java.math.BigDecimal;

/** Numbers in requests and values. */
public final class Numbers {
  private Numbers() {}

  /** A decimal integer without spaces, plus sign or leading zeros, as in Redis. */
  public static long integer(byte[] text) {
    return integer(text, "value is not an integer or out of range");
  }

  /** An integer, or a given error if it is not one. */
  public static long integer(byte[] text, String error) {
    long value = Decimal.integer(text, 0);
    if (value == 0 && !(text.length == 1 && text[0] == '0')) {
      throw ReplyException.error(error);
    }
    return value;
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
    long value = Decimal.integer(text, -1);
    if (value < 0) {
      throw ReplyException.error("value is out of range, must be positive");
    }
    return value;
  }

  /** A number, also {@code inf}, but never NaN. */
  public static double real(byte[] text) {
    double value = Decimal.real(text);
    if (Double.isNaN(value)) {
      throw ReplyException.notFloat();
    }
    return value;
  }

  public static boolean isReal(byte[] text) {
    return !Double.isNaN(Decimal.real(text));
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
}
