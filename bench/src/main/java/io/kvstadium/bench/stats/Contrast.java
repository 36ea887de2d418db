package io.kvstadium.bench.stats;

import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The logarithm of the ratio of two speeds, with its standard error.
 *
 * @param n trials on each side; the fewer, if they differ
 * @param mean of the logarithm of the ratio
 * @param stdErr of that mean; NaN if there are too few trials
 * @param reach of its interval; {@code null} if there are too few trials
 * @param freedomAt degrees of freedom if there were so many trials
 */
record Contrast(
    int n, double mean, double stdErr, @Nullable Reach reach, IntToDoubleFunction freedomAt) {
  private static final double EQUAL = Math.log(Verdict.PRACTICALLY_EQUAL);

  static Contrast paired(double[] a, double[] b) {
    if (a.length != b.length) {
      throw new IllegalArgumentException(
          "paired trials come in pairs, but there are " + a.length + " and " + b.length);
    }
    double[] differences = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      // a difference of logarithms, not the logarithm of a quotient: exchanging a and b then
      // changes the sign and nothing else
      differences[i] = Math.log(a[i]) - Math.log(b[i]);
    }
    return ofDifferences(differences);
  }

  /** Of the logarithm of the ratio in each trial. */
  static Contrast ofDifferences(double[] differences) {
    LogMean mean = LogMean.ofLogs(differences);
    Reach reach = mean.n() < 2 ? null : Reach.of(differences);
    return new Contrast(mean.n(), mean.mean(), mean.stdErr(), reach, m -> m - 1.0);
  }

  static Contrast unpaired(double[] a, double[] b) {
    double[] logsA = LogMean.logs(a);
    double[] logsB = LogMean.logs(b);
    LogMean meanA = LogMean.ofLogs(logsA);
    LogMean meanB = LogMean.ofLogs(logsB);
    double varianceA = meanA.stdErr() * meanA.stdErr();
    double varianceB = meanB.stdErr() * meanB.stdErr();
    double variance = varianceA + varianceB;
    double freedom =
        variance
            * variance
            / (varianceA * varianceA / (a.length - 1) + varianceB * varianceB / (b.length - 1));
    int n = Math.min(a.length, b.length);
    // without any variance the quotient is 0/0, and the reach is 0 whatever the freedom
    double known = Double.isNaN(freedom) ? 1 : freedom;
    return new Contrast(
        n,
        meanA.mean() - meanB.mean(),
        Math.sqrt(variance),
        n < 2 ? null : Reach.of(logsA, logsB, known),
        m -> 2.0 * (m - 1));
  }

  /** Of the ratio, not turned round; {@code null} if there are too few trials. */
  @Nullable Interval interval() {
    return reach == null ? null : reach.around(mean, stdErr);
  }

  Verdict verdict() {
    if (reach == null) {
      return new Verdict.NoDifference(n, OptionalInt.empty());
    }
    double low = mean - reach.below() * stdErr;
    double high = mean + reach.above() * stdErr;
    if (-EQUAL < low && high < EQUAL) {
      return new Verdict.Same();
    }
    if (low > 0) {
      return new Verdict.Faster(Math.exp(mean), reach.around(mean, stdErr));
    }
    if (high < 0) {
      return new Verdict.Slower(Math.exp(-mean), reach.turned().around(-mean, stdErr));
    }
    return new Verdict.NoDifference(n, OptionalInt.of(more()));
  }

  /**
   * The fewest further trials that would decide in at least every second case if the observed mean
   * and variance were the true ones: with them, the interval excludes 1 or lies within practical
   * equality. One more than {@link Verdict#COUNTED_TRIALS} if that many do not do.
   */
  private int more() {
    for (int more = 1; more <= Verdict.COUNTED_TRIALS; more++) {
      if (decides(n + more) >= 0.5) {
        return more;
      }
    }
    return Verdict.COUNTED_TRIALS + 1;
  }

  /**
   * The probability that so many trials decide, one way or the other. The standard error shrinks
   * with the root of the number of trials; the mean lies around the true one as Student's t does,
   * and must come out farther than the reach from 1, or closer than it to practical equality from
   * both sides (the power of two one-sided tests: D. J. Schuirmann, J. Pharmacokinetics and
   * Biopharmaceutics 15, 1987).
   */
  private double decides(int trials) {
    double freedom = freedomAt.applyAsDouble(trials);
    double error = stdErr * Math.sqrt((double) n / trials);
    double t = StudentT.reach(freedom);
    double size = Math.abs(mean);
    double differs =
        StudentT.below(size / error - t, freedom) + StudentT.below(-size / error - t, freedom);
    double equal =
        StudentT.below((EQUAL - size) / error - t, freedom)
            + StudentT.below((EQUAL + size) / error - t, freedom)
            - 1;
    return differs + Math.max(0, equal);
  }
}
