package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Interval.Method;

/**
 * How far an interval reaches to either side of a mean of logarithms, and which method says so.
 *
 * <p>Student's t holds for logarithms that are about normal. What spoils it in samples this small
 * is skewness: the error of its coverage to either side is proportional to skewness over √n, while
 * symmetric forms, with two peaks or with heavy tails, harm it far less (P. Hall, The Bootstrap and
 * Edgeworth Expansion, 1992, 2.6). So the {@linkplain Bootstrap bootstrap} takes over where
 * skewness shows, and only from {@value Bootstrap#FEWEST} trials on: of fewer, too few different
 * resamples can be drawn, and skewness cannot be told from chance.
 *
 * @param below in standard errors, not negative
 * @param above in standard errors, not negative
 * @param method that made it
 */
record Reach(double below, double above, Method method) {
  /** For the mean of one sample of at least two. */
  static Reach of(double[] logs) {
    Reach t = t(logs.length - 1);
    return Skew.shows(logs) ? Bootstrap.reach(logs, t) : t;
  }

  /**
   * For the difference of the means of two samples that have nothing in common.
   *
   * @param freedom of Welch's t
   */
  static Reach of(double[] a, double[] b, double freedom) {
    Reach t = t(freedom);
    boolean enough = Math.min(a.length, b.length) >= Bootstrap.FEWEST;
    return enough && (Skew.shows(a) || Skew.shows(b)) ? Bootstrap.reach(a, b, t) : t;
  }

  private static Reach t(double freedom) {
    double reach = StudentT.reach(freedom);
    return new Reach(reach, reach, Method.T);
  }

  /** The interval around a mean of logarithms, in the unit of the figures. */
  Interval around(double mean, double stdErr) {
    return new Interval(Math.exp(mean - below * stdErr), Math.exp(mean + above * stdErr), method);
  }

  /** That of the mean with its sign changed. */
  Reach turned() {
    return new Reach(/* below= */ above, /* above= */ below, method);
  }
}
