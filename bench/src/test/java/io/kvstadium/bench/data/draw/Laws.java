package io.kvstadium.bench.data.draw;

import java.util.function.IntToDoubleFunction;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** Pearson's chi-square test of counts against the expectation of a distribution. */
public final class Laws {
  /** Seeds are fixed, so a p-value below this is an error in the distribution and not bad luck. */
  public static final double UNLIKELY = 1e-4;

  private Laws() {}

  /** Returns the probability of counts at least as far off as these. Classes below 5 are merged. */
  public static double pValue(long[] counts, IntToDoubleFunction expected) {
    double statistic = 0;
    int classes = 0;
    double restExpected = 0;
    long rest = 0;
    for (int k = 0; k < counts.length; k++) {
      restExpected += expected.applyAsDouble(k);
      rest += counts[k];
      if (restExpected >= 5) {
        statistic += (rest - restExpected) * (rest - restExpected) / restExpected;
        classes++;
        restExpected = 0;
        rest = 0;
      }
    }
    return ChiSquaredDistribution.of(classes - 1).survivalProbability(statistic);
  }
}
