package io.kvstadium.server.protocol;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;

/**
 * Sums in the extended precision of x87, with a significand of 64 bits, in which Redis adds
 * non-integers: clients may see its last digit.
 */
public final class Extended {
  private static final int BITS = 64;
  private static final int MAX_EXPONENT = 16_384;

  /** Decimal places beyond which every number is too large, or too small, to be held. */
  private static final int MAX_PLACES = 4_950;

  /** Digits after the decimal point. */
  private static final int SCALE = 17;

  private Extended() {}

  /** The sum of two numbers in decimal, without an exponent. */
  public static byte[] sum(byte[] a, byte[] b) {
    boolean first = isInfinite(a); // both are checked, to reject what is not a number
    boolean infinite = isInfinite(b) || first;
    BigDecimal sum = infinite ? BigDecimal.ZERO : rounded(parsed(a).add(parsed(b)));
    if (infinite || tooLarge(sum)) {
      throw ReplyException.error("increment would produce NaN or Infinity");
    }
    BigDecimal shown = sum.setScale(SCALE, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return shown.toPlainString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Whether it is literally {@code inf}: what is too large for a double may be fine here. */
  private static boolean isInfinite(byte[] text) {
    return Double.isInfinite(Numbers.real(text)) && text[text.length - 1] > '9';
  }

  private static BigDecimal parsed(byte[] text) {
    BigDecimal exact = exact(new String(text, StandardCharsets.US_ASCII));
    long places = (long) exact.precision() - exact.scale();
    if (exact.signum() == 0) {
      return BigDecimal.ZERO;
    }
    if (Math.abs(places) > MAX_PLACES) {
      throw ReplyException.notFloat();
    }
    BigDecimal rounded = rounded(exact);
    if (tooLarge(rounded)) {
      throw ReplyException.notFloat();
    }
    return rounded;
  }

  private static BigDecimal exact(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) { // an exponent of more than ten digits
      throw ReplyException.notFloat();
    }
  }

  private static boolean tooLarge(BigDecimal value) {
    return value.abs().toBigInteger().bitLength() > MAX_EXPONENT;
  }

  /** The nearest number with a significand of 64 bits; the even one of two. */
  private static BigDecimal rounded(BigDecimal exact) {
    if (exact.signum() == 0) {
      return BigDecimal.ZERO;
    }
    int exponent = exponent(exact.abs()) - BITS;
    BigDecimal unit = new BigDecimal(BigInteger.ONE.shiftLeft(Math.abs(exponent)));
    if (exponent >= 0) {
      return exact.divide(unit, 0, RoundingMode.HALF_EVEN).multiply(unit);
    }
    // dividing by a power of two is exact
    return exact.multiply(unit).setScale(0, RoundingMode.HALF_EVEN).divide(unit);
  }

  /** The least power of two that is greater. */
  private static int exponent(BigDecimal positive) {
    int whole = positive.toBigInteger().bitLength();
    if (whole > 0) {
      return whole;
    }
    // below 1: as many bits after the point are 0 as the reciprocal has, give or take one
    BigInteger reciprocal = BigDecimal.ONE.divide(positive, 0, RoundingMode.DOWN).toBigInteger();
    int guess = 1 - reciprocal.bitLength();
    BigDecimal power = BigDecimal.ONE.divide(new BigDecimal(BigInteger.ONE.shiftLeft(-guess)));
    return positive.compareTo(power) >= 0 ? guess + 1 : guess;
  }
}
