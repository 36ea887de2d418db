package io.kvstadium.bench.stats;

import java.util.Arrays;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.stat.descriptive.rank.Median;
import org.jspecify.annotations.Nullable;

/**
 * What the trials of one configuration say about one figure: a rate, or a time.
 *
 * <p>The interval is Student's: with y = ln x, it is exp(ȳ ± t(0.975, n − 1) · s / √n), where s is
 * the standard deviation of y with n − 1 in the denominator (NIST/SEMATECH e-Handbook of
 * Statistical Methods, 1.3.5.2, applied to logarithms), or, on a family of many cells, that of the
 * moderated variance ({@link Families}). It covers the geometric mean, which is the median where
 * the logarithms are symmetric; the median is given too because a reader can check it by eye, and
 * because one odd trial does not move it.
 *
 * @param n how many trials had the figure
 * @param median the middle one; the mean of the middle two if n is even
 * @param interval at 95 % confidence, or {@code null} if there is only one trial; with two trials
 *     it exists, but is wide
 */
public record Estimate(int n, double median, @Nullable Interval interval) {
  /** The level of every interval on its own: 95 % confidence. */
  static final double LEVEL = 0.05;

  /**
   * The estimate from one figure per trial.
   *
   * @param figures positive and finite, at least one; not changed
   */
  public static Estimate of(double[] figures) {
    if (figures.length == 0) {
      throw new IllegalArgumentException("no figures: an estimate needs at least one trial");
    }
    int n = figures.length;
    double[] logs = Arrays.stream(figures).map(Cell::log).toArray();
    double stdErr = Math.sqrt(StatUtils.variance(logs) / n);
    Interval interval =
        n < 2 ? null : new Contrast(StatUtils.mean(logs), stdErr, n - 1).interval(LEVEL);
    return new Estimate(n, new Median().evaluate(figures), interval);
  }

  /** Returns a copy with an interval that was made with more knowledge. */
  public Estimate with(@Nullable Interval better) {
    return new Estimate(n, median, better == null ? interval : better);
  }
}
