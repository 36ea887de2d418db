package io.kvstadium.bench.stats;

import java.util.Arrays;

/**
 * Mean of logarithms with its standard error.
 *
 * @param n the number of values
 * @param mean of the natural logarithms
 * @param stdErr standard error of that mean; NaN if n is 1
 */
record LogMean(int n, double mean, double stdErr) {
  static double log(double figure) {
    if (!(figure > 0) || Double.isInfinite(figure)) {
      throw new IllegalArgumentException(
          "figure " + figure + " has no logarithm: rates and times are positive and finite");
    }
    return Math.log(figure);
  }

  static LogMean of(double[] figures) {
    return ofLogs(logs(figures));
  }

  /** The natural logarithms of figures that are positive and finite. */
  static double[] logs(double[] figures) {
    double[] logs = new double[figures.length];
    Arrays.setAll(logs, i -> log(figures[i]));
    return logs;
  }

  static LogMean ofLogs(double[] logs) {
    double sum = 0;
    for (double log : logs) {
      sum += log;
    }
    double mean = sum / logs.length;
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    int n = logs.length;
    return new LogMean(n, mean, n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1) / n));
  }
}
