package io.kvstadium.bench.stats;

import org.apache.commons.statistics.distribution.TDistribution;

/** Student's t distribution, as far as intervals need it. */
final class StudentT {
  /** The confidence of every interval that Stadium states. */
  static final double CONFIDENCE = 0.95;

  private StudentT() {}

  /** How many standard errors the interval reaches to either side of the mean. */
  static double reach(double degreesOfFreedom) {
    return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - CONFIDENCE) / 2);
  }

  /** The probability of a value up to {@code t}. */
  static double below(double t, double degreesOfFreedom) {
    return TDistribution.of(degreesOfFreedom).cumulativeProbability(t);
  }
}
