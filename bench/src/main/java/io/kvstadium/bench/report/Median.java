package io.kvstadium.bench.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** The median of figures some of which are unknown. */
final class Median {
  private Median() {}

  /** The median of those that are not negative, or NaN if there is none. */
  static double ofKnown(DoubleStream figures) {
    double[] known = figures.filter(value -> value >= 0).toArray();
    Arrays.sort(known);
    if (known.length == 0) {
      return Double.NaN;
    }
    int half = known.length / 2;
    return known.length % 2 == 1 ? known[half] : (known[half - 1] + known[half]) / 2;
  }
}
