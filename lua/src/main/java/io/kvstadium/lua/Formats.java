package io.kvstadium.lua;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as C's {@code printf} shows them. */
final class Formats {
  private Formats() {}

  /** A number as {@code %.<digits>g} shows it. */
  static String general(double value, int digits) {
    if (value == Math.rint(value) && Math.abs(value) < 1e14 && digits >= 14) {
      return value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value);
    }
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      String word = Double.isNaN(value) ? "nan" : "inf";
      return Double.doubleToRawLongBits(value) < 0 ? "-" + word : word;
    }
    int wanted = Math.max(1, digits);
    BigDecimal rounded = rounded(value, wanted);
    int exponent = value == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
    boolean scientific = exponent < -4 || exponent >= wanted;
    String text =
        scientific
            ? scientific(value, wanted - 1)
            : sign(value) + fixed(rounded.abs(), wanted - 1 - exponent);
    if (text.indexOf('.') < 0) {
      return text;
    }
    int end = scientific ? text.indexOf('e') : text.length();
    String mantissa = text.substring(0, end).replaceFirst("\\.?0+$", "");
    return mantissa + text.substring(end);
  }

  private static BigDecimal rounded(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  private static String sign(double value) {
    return value < 0 || (value == 0 && 1 / value < 0) ? "-" : "";
  }

  private static String fixed(BigDecimal value, int decimals) {
    return value.setScale(Math.max(0, decimals), RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String scientific(double value, int decimals) {
    BigDecimal rounded = rounded(value, decimals + 1).abs();
    int exponent = value == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
    String mantissa = fixed(rounded.scaleByPowerOfTen(-exponent), decimals);
    return "%s%se%s%02d"
        .formatted(sign(value), mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
