package io.kvstadium.bench.data;

import org.HdrHistogram.AbstractHistogram;

/**
 * How long keys or values are, in bytes. Exact up to 2,047, within 0.1 % above.
 *
 * @param p99 what 99 % do not exceed
 */
public record Lengths(long min, long median, long p99, long max) {
  static Lengths of(AbstractHistogram histogram) {
    return new Lengths(
        histogram.getMinValue(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getMaxValue());
  }

  /** For reports: {@code 12} if all are alike, else {@code min 3, median 5, p99 8, max 9}. */
  @Override
  public String toString() {
    return min == max
        ? Long.toString(min)
        : "min " + min + ", median " + median + ", p99 " + p99 + ", max " + max;
  }
}
