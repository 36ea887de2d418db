package io.kvstadium.cli.verify;

import org.HdrHistogram.Histogram;

/** Lengths in bytes: minimum and maximum are exact, percentiles have three digits. */
final class LengthStatistics {
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(DIGITS);
  private long least = Long.MAX_VALUE;
  private long most;

  void add(int length) {
    histogram.recordValue(length);
    least = Math.min(least, length);
    most = Math.max(most, length);
  }

  boolean isEmpty() {
    return histogram.getTotalCount() == 0;
  }

  long least() {
    return least;
  }

  long most() {
    return most;
  }

  double mean() {
    return histogram.getMean();
  }

  /** The length at a percentile, given in percent. */
  long at(double percentile) {
    return Math.min(most, histogram.getValueAtPercentile(percentile));
  }
}
