package io.kvstadium.cli.verify;

import org.HdrHistogram.Histogram;

/** Lengths in bytes: minimum and maximum are exact, percentiles have three digits. */
final class LengthStatistics {
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(DIGITS);
  private long min = Long.MAX_VALUE;
  private long max;

  void add(int length) {
    histogram.recordValue(length);
    min = Math.min(min, length);
    max = Math.max(max, length);
  }

  boolean isEmpty() {
    return histogram.getTotalCount() == 0;
  }

  long min() {
    return min;
  }

  long max() {
    return max;
  }

  double mean() {
    return histogram.getMean();
  }

  /** The length at a percentile, given in percent. */
  long at(double percentile) {
    return Math.min(max, histogram.getValueAtPercentile(percentile));
  }
}
