package io.kvstadium.cli;

import org.HdrHistogram.Histogram;

/** Lengths in bytes: the least and the most exactly, what is between to three digits. */
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

  /** The length that this share of all does not pass, in percent. */
  long at(double percentile) {
    return Math.min(most, histogram.getValueAtPercentile(percentile));
  }
}
