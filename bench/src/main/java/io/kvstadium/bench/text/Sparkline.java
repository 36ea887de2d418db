package io.kvstadium.bench.text;

/** Figures as a row of bars. */
public final class Sparkline {
  private static final String BARS = "▁▂▃▄▅▆▇█";

  /** What differs by less than that fills no more than its part of the height. */
  private static final double MIN_SPAN = 1.2;

  private Sparkline() {}

  /**
   * Bars from the smallest figure to the largest, which are at least a fifth apart.
   *
   * @param figures positive, or NaN for a gap
   */
  public static String of(double[] figures) {
    double min = Double.POSITIVE_INFINITY;
    double max = 0;
    for (double each : figures) {
      if (!Double.isNaN(each)) {
        min = Math.min(min, each);
        max = Math.max(max, each);
      }
    }
    double top = Math.max(max, min * MIN_SPAN);
    StringBuilder line = new StringBuilder();
    for (double each : figures) {
      line.append(Double.isNaN(each) ? ' ' : bar((each - min) / (top - min)));
    }
    return line.toString();
  }

  /**
   * A bar.
   *
   * @param share of the full height, 0 to 1
   */
  public static char bar(double share) {
    return BARS.charAt((int) Math.min(BARS.length() - 1, BARS.length() * share));
  }
}
