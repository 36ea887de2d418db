package io.kvstadium.bench.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.hipparchus.stat.descriptive.moment.Skewness;

/**
 * D'Agostino's test of skewness (R. B. D'Agostino, Transformation to normality of the null
 * distribution of g₁, Biometrika 57, 1970): turns a sample's skewness into a standard normal
 * variable if the sample comes from a normal distribution. Good from n = 8 on.
 */
final class Skew {
  /**
   * Skewness is held to show if a normal sample would have as much in one case of five. A test is
   * seldom set so low; but a bootstrap that was not needed costs a few percent of width and no
   * coverage, while a Student's t that did not fit misses too often.
   */
  private static final double LEVEL = 0.2;

  private static final double LIMIT =
      NormalDistribution.of(0, 1).inverseSurvivalProbability(LEVEL / 2);

  private Skew() {}

  /** Whether the sample is clearly skewed; false if it is too small to say. */
  static boolean shows(double[] sample) {
    return sample.length >= Bootstrap.FEWEST && Math.abs(normalScore(sample)) > LIMIT;
  }

  /** The test's statistic, standard normal for a normal sample of at least eight. */
  static double normalScore(double[] sample) {
    double n = sample.length;
    // the library's is corrected for bias, the test's is the plain ratio of moments
    double g1 = new Skewness().evaluate(sample) * (n - 2) / Math.sqrt(n * (n - 1));
    double y = g1 * Math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)));
    double kurtosis =
        3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9));
    double w2 = Math.sqrt(2 * (kurtosis - 1)) - 1;
    double delta = 1 / Math.sqrt(Math.log(w2) / 2);
    double alpha = Math.sqrt(2 / (w2 - 1));
    double ratio = Math.abs(y / alpha);
    return Math.signum(y) * delta * Math.log(ratio + Math.sqrt(ratio * ratio + 1));
  }
}
