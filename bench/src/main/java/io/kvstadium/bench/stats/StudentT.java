package io.kvstadium.bench.stats;

import org.apache.commons.statistics.distribution.TDistribution;

/** Student's t distribution, as far as intervals need it. */
final class StudentT {
  /** The level of every interval on its own: 95 % confidence. */
  static final double LEVEL = 0.05;

  private StudentT() {}

  /** How many standard errors the interval reaches to either side of the mean. */
  static double reach(double degreesOfFreedom, double level) {
    return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(level / 2);
  }

  /** The probability of a value up to {@code t}. */
  static double below(double t, double degreesOfFreedom) {
    return TDistribution.of(degreesOfFreedom).cumulativeProbability(t);
  }
}
