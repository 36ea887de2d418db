package io.kvstadium.bench.stats;

import java.util.Locale;

/** Writes a ratio above 1 with its interval. */
public final class Factor {
  private Factor() {}

  private static final int MAX_DECIMALS = 9;

  /**
   * Such as {@code ×1.8 [1.6, 2.0]}: as few digits as distinguish the ratio from the ends of its
   * interval, but never so few that an interval that excludes 1 seems to contain it.
   */
  public static String words(double ratio, Interval interval) {
    int min = interval.low() >= 10 ? 0 : 1;
    int decimals = min;
    while (decimals < MAX_DECIMALS && tooFew(ratio, interval, decimals, decimals < min + 2)) {
      decimals++;
    }
    return "×"
        + fixed(ratio, decimals)
        + " ["
        + fixed(interval.low(), decimals)
        + ", "
        + fixed(interval.high(), decimals)
        + "]";
  }

  /** Such as {@code ×1.18} or {@code ×20}. */
  public static String words(double ratio) {
    return "×" + fixed(ratio, ratio < 2 ? 2 : ratio < 10 ? 1 : 0);
  }

  private static boolean tooFew(
      double ratio, Interval interval, int decimals, boolean tellTheEnds) {
    String low = fixed(interval.low(), decimals);
    if (interval.low() > 1 && low.equals(fixed(1, decimals))) {
      return true;
    }
    String middle = fixed(ratio, decimals);
    return tellTheEnds
        && interval.low() < interval.high()
        && (middle.equals(low) || middle.equals(fixed(interval.high(), decimals)));
  }

  private static String fixed(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
