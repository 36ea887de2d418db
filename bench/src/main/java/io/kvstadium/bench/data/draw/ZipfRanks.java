package io.kvstadium.bench.data.draw;

import java.util.SplittableRandom;

/**
 * Draws ranks from 1 to n with probabilities in proportion to k^-theta, for any theta of 0 or more,
 * in constant time and memory: rejection-inversion after W. Hörmann and G. Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM TOMACS 6(3),
 * 1996. The widely copied method of YCSB needs theta below 1 and a sum over all n first.
 *
 * <p>In short: H, the integral of h(x) = x^-theta, is inverted at a uniform number; the result is
 * rounded to a rank k, and rejected if it lies in the sliver by which the area around k exceeds
 * h(k). {@code StrictMath}, because a rank must not depend on a processor's last bit.
 */
final class ZipfRanks {
  private final double theta;
  private final double low;
  private final double surelyAccepted;
  private long n;

  /** All that depends on n, so that n can change at the cost of one logarithm. */
  private double high;

  ZipfRanks(long n, double theta) {
    this.theta = theta;
    this.low = integral(1.5) - 1;
    this.n = n;
    this.high = integral(n + 0.5);
    this.surelyAccepted = 2 - inverse(integral(2.5) - density(2));
  }

  /** Sets another highest rank. */
  void resize(long newN) {
    if (newN != n) {
      n = newN;
      high = integral(newN + 0.5);
    }
  }

  long next(SplittableRandom random) {
    while (true) {
      double u = high + random.nextDouble() * (low - high);
      double x = inverse(u);
      long k = Math.clamp((long) (x + 0.5), 1, n);
      if (k - x <= surelyAccepted || u >= integral(k + 0.5) - density((double) k)) {
        return k;
      }
    }
  }

  private double density(double x) {
    return StrictMath.exp(-theta * StrictMath.log(x));
  }

  /** (x^(1-theta) - 1) / (1-theta), and its limit log(x) at theta = 1. */
  private double integral(double x) {
    double log = StrictMath.log(x);
    return expm1Ratio((1 - theta) * log) * log;
  }

  private double inverse(double y) {
    // Rounding may push the argument below the pole of log1p; the limit is meant.
    double t = Math.max(-1, y * (1 - theta));
    return StrictMath.exp(log1pRatio(t) * y);
  }

  /** expm1(x) / x, by its series where that would be 0 / 0. */
  private static double expm1Ratio(double x) {
    return Math.abs(x) > 1e-8 ? StrictMath.expm1(x) / x : 1 + x / 2 * (1 + x / 3);
  }

  /** log1p(x) / x, by its series where that would be 0 / 0. */
  private static double log1pRatio(double x) {
    return Math.abs(x) > 1e-8 ? StrictMath.log1p(x) / x : 1 - x * (0.5 - x / 3);
  }
}
