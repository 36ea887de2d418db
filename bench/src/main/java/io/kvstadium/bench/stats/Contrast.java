package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Moderation.Variance;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The logarithm of the ratio of two speeds, with its standard error.
 *
 * @param mean the mean logarithm of the ratio
 * @param stdErr the standard error of that mean
 * @param freedom degrees of freedom of that error
 */
record Contrast(double mean, double stdErr, double freedom) {
  /**
   * The contrast of two that have nothing in common, by Welch's approximation (B. L. Welch,
   * Biometrika 34, 1947).
   *
   * @param a mean logarithm of the first, {@code b} of the other
   * @param n trials of each
   */
  static Contrast unpaired(double a, int n, Variance own, double b, int m, Variance other) {
    double ownPart = own.value() / n;
    double otherPart = other.value() / m;
    double sum = ownPart + otherPart;
    double freedom =
        sum * sum / (ownPart * ownPart / own.freedom() + otherPart * otherPart / other.freedom());
    // without any variance the quotient is 0/0, and the error is 0 whatever the freedom
    return new Contrast(a - b, Math.sqrt(sum), Double.isNaN(freedom) ? 1 : freedom);
  }

  /**
   * The probability of a difference this large, either way, if there were none beyond a factor.
   *
   * @param min 1 for any difference at all
   */
  double p(double min) {
    double beyond = Math.abs(mean) - Math.log(min);
    if (beyond <= 0) {
      return 1;
    }
    return stdErr == 0 ? 0 : 2 * TDistribution.of(freedom).cumulativeProbability(-beyond / stdErr);
  }

  /** The interval of the ratio. */
  Interval interval(double level) {
    double reach =
        stdErr == 0 ? 0 : TDistribution.of(freedom).inverseSurvivalProbability(level / 2) * stdErr;
    return new Interval(Math.exp(mean - reach), Math.exp(mean + reach));
  }

  private Verdict.LogRatio slowness(Interval interval) {
    return new Verdict.LogRatio(-mean, -Math.log(interval.high()), -Math.log(interval.low()));
  }

  /**
   * The verdict that it leads to.
   *
   * @param decided whether a difference is shown at this level
   * @param margin the factor within which two are practically equal
   */
  Verdict verdict(boolean decided, double level, double margin) {
    Interval interval = interval(level);
    if (interval.within(1 / margin, margin)) {
      return new Verdict.Equal(margin, slowness(interval));
    }
    if (!decided) {
      return new Verdict.Undecided(slowness(interval));
    }
    return mean > 0
        ? new Verdict.Faster(Math.exp(mean), interval)
        : new Verdict.Slower(Math.exp(-mean), interval.reciprocal());
  }
}
