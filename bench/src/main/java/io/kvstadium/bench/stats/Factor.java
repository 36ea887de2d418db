package io.kvstadium.bench.stats;

import java.util.Locale;

/** Writes a ratio above 1 with its interval. */
final class Factor {
  private Factor() {}

  /**
   * Such as {@code ×1.8 [1.6, 2.0]}. The nearer the lower end comes to 1, the more digits, so that an
   * interval that excludes 1 never reads as if it held it.
   */
  static String words(double ratio, Interval interval) {
    String form = "%." + decimals(interval.low()) + "f";
    return "×"
        + String.format(Locale.ROOT, form, ratio)
        + " ["
        + String.format(Locale.ROOT, form, interval.low())
        + ", "
        + String.format(Locale.ROOT, form, interval.high())
        + "]";
  }

  private static int decimals(double low) {
    if (low >= 10) {
      return 0;
    }
    if (low >= 1.1) {
      return 1;
    }
    return low >= 1.01 ? 2 : 3;
  }
}
