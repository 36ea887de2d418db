package io.kvstadium.bench.stats;

/**
 * The ends of a confidence interval, in the unit of what it belongs to.
 *
 * @param low the lower end, positive
 * @param high the upper end, not below {@code low}
 */
public record Interval(double low, double high) {
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("interval [" + low + ", " + high + "]: low exceeds high");
    }
  }

  /** Whether all of it is between {@code low} and {@code high}, excluding these. */
  public boolean within(double low, double high) {
    return low < this.low && this.high < high;
  }

  /** The interval of the reciprocal: of the time if this one is of a rate. */
  public Interval reciprocal() {
    return new Interval(1 / high, 1 / low);
  }
}
