package io.kvstadium.bench.stats;

import io.kvstadium.store.BadArgumentException;
import java.util.Arrays;
import org.hipparchus.stat.descriptive.moment.Mean;
import org.hipparchus.stat.regression.SimpleRegression;

/**
 * Cost against size as a power law, cost = a · size<sup>b</sup>: the least-squares line through the
 * logarithms of all trials of all points of a sweep. A law fitted to small sizes says nothing about
 * what begins beyond them, such as data that no longer fits into memory. So a projection states how
 * far it reaches beyond what was measured, and the law's error where that is known.
 *
 * @param scale a
 * @param exponent b: 1 if cost is proportional to size
 * @param points the number of different sizes
 * @param figures the number of trials of all points together
 * @param largest the largest size that was measured
 * @param residual standard deviation of the logarithms around the line, which uses up two degrees
 *     of freedom
 * @param meanLogSize mean logarithm of the sizes
 * @param sumOfSquares of the logarithms of the sizes around their mean
 * @param heldOutError how far the line through all smaller points misses the geometric mean of the
 *     largest, as a fraction of that mean: 0.2 if it projects a fifth too much
 */
public record Projection(
    double scale,
    double exponent,
    int points,
    int figures,
    double largest,
    double residual,
    double meanLogSize,
    double sumOfSquares,
    double heldOutError) {
  /** A line through two points shows no error, so a projection needs one more. */
  public static final int FEWEST_POINTS = 3;

  /**
   * What one trial at a size would cost.
   *
   * @param size the size asked for
   * @param cost the projected cost
   * @param interval the interval that one further trial falls into with 95 % confidence, if the law
   *     holds there
   * @param beyond how many times the largest measured size this is: above 1 if larger
   */
  public record Cost(double size, double cost, Interval interval, double beyond) {}

  /** Whether there are enough different sizes to project from. */
  public static boolean carried(double[] sizes) {
    return Arrays.stream(sizes).distinct().count() >= FEWEST_POINTS;
  }

  /**
   * Fits the law.
   *
   * @param sizes of each trial, positive
   * @param costs of the same trials (a time, space, or memory), positive
   * @throws BadArgumentException if there are fewer than three different sizes
   */
  public static Projection of(double[] sizes, double[] costs) {
    if (sizes.length != costs.length) {
      throw new IllegalArgumentException(sizes.length + " sizes, but " + costs.length + " costs");
    }
    long points = Arrays.stream(sizes).distinct().count();
    if (points < FEWEST_POINTS) {
      throw new BadArgumentException(
          "a projection needs at least "
              + FEWEST_POINTS
              + " sizes, but the sweep has figures for "
              + points
              + ": add sizes to it");
    }
    double largest = Arrays.stream(sizes).max().orElseThrow();
    double[] x = LogMean.logs(sizes);
    double[] y = LogMean.logs(costs);
    SimpleRegression all = new SimpleRegression();
    SimpleRegression smaller = new SimpleRegression();
    Mean heldOut = new Mean();
    for (int i = 0; i < x.length; i++) {
      all.addData(x[i], y[i]);
      if (sizes[i] < largest) {
        smaller.addData(x[i], y[i]);
      } else {
        heldOut.increment(y[i]);
      }
    }
    double miss = smaller.predict(Math.log(largest)) - heldOut.getResult();
    return new Projection(
        Math.exp(all.getIntercept()),
        all.getSlope(),
        (int) points,
        x.length,
        largest,
        Math.sqrt(all.getMeanSquareError()),
        LogMean.ofLogs(x).mean(),
        all.getXSumSquares(),
        Math.expm1(miss));
  }

  /**
   * Projects to a size. With x its logarithm, n figures and residual deviation s, the logarithm of
   * the cost is within ± t(0.975, n − 2) · s · √(1 + 1/n + (x − x̄)² / Σ(xᵢ − x̄)²) of the line:
   * the interval of a single further observation (N. R. Draper, H. Smith, Applied Regression
   * Analysis, 1998, 3.1).
   *
   * @param size positive
   */
  public Cost at(double size) {
    double x = LogMean.logs(new double[] {size})[0];
    double line = Math.log(scale) + exponent * x;
    double off = x - meanLogSize;
    double error = residual * Math.sqrt(1 + 1.0 / figures + off * off / sumOfSquares);
    double reach = StudentT.reach(figures - 2, StudentT.LEVEL) * error;
    return new Cost(
        size,
        Math.exp(line),
        new Interval(Math.exp(line - reach), Math.exp(line + reach)),
        size / largest);
  }
}
