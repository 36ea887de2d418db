package io.kvstadium.bench.data;

import java.util.Locale;
import org.HdrHistogram.AbstractHistogram;

/**
 * How long keys or values are, in bytes. Exact up to 2,047, within 0.1 % above.
 *
 * @param p99 the length that 99 % do not exceed
 * @param total the sum of all
 */
public record Lengths(long min, long median, long p99, long max, long total) {
  /**
   * @param total their exact sum
   */
  static Lengths of(AbstractHistogram histogram, long total) {
    return new Lengths(
        histogram.getMinValue(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getMaxValue(),
        total);
  }

  /** For reports: {@code 12 each, total 24}, or {@code min 3, median 5, p99 8, max 9, total 25}. */
  @Override
  public String toString() {
    String all = String.format(Locale.ROOT, ", total %,d", total);
    return min == max
        ? min + " each" + all
        : "min " + min + ", median " + median + ", p99 " + p99 + ", max " + max + all;
  }
}
