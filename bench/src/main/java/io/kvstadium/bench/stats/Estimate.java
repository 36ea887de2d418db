package io.kvstadium.bench.stats;

import java.util.Arrays;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * What the trials of one configuration say about one figure: a rate, or a time.
 *
 * <p>The interval is Student's: with y = ln x, it is exp(ȳ ± t(0.975, n − 1) · s / √n), where s is
 * the standard deviation of y with n − 1 in the denominator (NIST/SEMATECH e-Handbook of
 * Statistical Methods, 1.3.5.2, applied to logarithms), or, on a family of many cells, that of the
 * moderated variance ({@link Families}). Figure, interval and the factors between configurations
 * are all of the geometric mean, so that they agree.
 *
 * @param n how many trials had the figure
 * @param mean the geometric mean
 * @param interval at 95 % confidence, or {@code null} if there is only one trial; with two trials
 *     it exists, but is wide
 */
public record Estimate(int n, double mean, @Nullable Interval interval) {
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
    double mean = StatUtils.mean(logs);
    double stdErr = Math.sqrt(StatUtils.variance(logs) / n);
    Interval interval = n < 2 ? null : new Contrast(mean, stdErr, n - 1).interval(LEVEL);
    // as a factor of the first one, so that equal figures have exactly themselves as their mean
    return new Estimate(n, figures[0] * Math.exp(mean - logs[0]), interval);
  }

  /** Returns a copy with an interval that was made with more knowledge. */
  public Estimate with(@Nullable Interval better) {
    return new Estimate(n, mean, better == null ? interval : better);
  }

  /** Returns a copy with another mean, and its interval in the same relation to it. */
  public Estimate at(double other) {
    double by = other / mean;
    return new Estimate(
        n,
        other,
        interval == null ? null : new Interval(interval.low() * by, interval.high() * by));
  }
}
