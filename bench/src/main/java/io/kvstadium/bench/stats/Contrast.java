package io.kvstadium.bench.stats;

import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;

/**
 * The logarithm of the ratio of two speeds, with its standard error.
 *
 * @param n trials on each side; the fewer, if they differ
 * @param mean of the logarithm of the ratio
 * @param stdErr of that mean; NaN if there are too few trials
 * @param freedom degrees of freedom
 * @param freedomAt degrees of freedom if there were so many trials
 */
record Contrast(int n, double mean, double stdErr, double freedom, IntToDoubleFunction freedomAt) {
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
    LogMean mean = LogMean.ofLogs(differences);
    return new Contrast(mean.n(), mean.mean(), mean.stdErr(), a.length - 1.0, m -> m - 1.0);
  }

  static Contrast unpaired(double[] a, double[] b) {
    LogMean meanA = LogMean.of(a);
    LogMean meanB = LogMean.of(b);
    double varianceA = meanA.stdErr() * meanA.stdErr();
    double varianceB = meanB.stdErr() * meanB.stdErr();
    double variance = varianceA + varianceB;
    double freedom =
        variance
            * variance
            / (varianceA * varianceA / (a.length - 1) + varianceB * varianceB / (b.length - 1));
    return new Contrast(
        Math.min(a.length, b.length),
        meanA.mean() - meanB.mean(),
        Math.sqrt(variance),
        // without any variance the quotient is 0/0, and the reach is 0 whatever the freedom
        Double.isNaN(freedom) ? 1 : freedom,
        m -> 2.0 * (m - 1));
  }

  Verdict verdict() {
    if (n < 2) {
      return new Verdict.NoDifference(n, OptionalInt.empty());
    }
    double reach = StudentT.reach(freedom) * stdErr;
    if (practicallyEqual(reach)) {
      return new Verdict.Same();
    }
    if (Math.abs(mean) <= reach) {
      return new Verdict.NoDifference(n, OptionalInt.of(more()));
    }
    double size = Math.abs(mean);
    Interval interval = new Interval(Math.exp(size - reach), Math.exp(size + reach));
    return mean > 0
        ? new Verdict.Faster(Math.exp(size), interval)
        : new Verdict.Slower(Math.exp(size), interval);
  }

  /**
   * The fewest further trials at which the interval would exclude 1, or lie within practical
   * equality, if the observed mean and variance were the true ones: the standard error shrinks with
   * the root of the number of trials. One more than {@link Verdict#COUNTED_TRIALS} if that many do
   * not do.
   */
  private int more() {
    for (int more = 1; more <= Verdict.COUNTED_TRIALS; more++) {
      int trials = n + more;
      double reach =
          StudentT.reach(freedomAt.applyAsDouble(trials)) * stdErr * Math.sqrt((double) n / trials);
      if (Math.abs(mean) > reach || practicallyEqual(reach)) {
        return more;
      }
    }
    return Verdict.COUNTED_TRIALS + 1;
  }

  private boolean practicallyEqual(double reach) {
    return Math.abs(mean) + reach < Math.log(Verdict.PRACTICALLY_EQUAL);
  }
}
