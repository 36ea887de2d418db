package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.text.Units;
import org.jspecify.annotations.Nullable;

/**
 * The figure that a phase is judged by, over trials: operations per second, or nanoseconds.
 *
 * @param interval in the same unit, or {@code null} if there is none
 */
public record Figure(boolean time, double mean, @Nullable Interval interval) {
  /** An interval wider than this factor leaves the figure open. */
  private static final double MAX_SPAN = 100;

  /** The rate itself, or the time that is its reciprocal. */
  public static Figure of(Estimate rate, boolean time) {
    Interval own = rate.interval();
    if (!time) {
      return new Figure(false, rate.mean(), own);
    }
    Interval times = own == null ? null : new Interval(1e9 / own.high(), 1e9 / own.low());
    return new Figure(true, 1e9 / rate.mean(), times);
  }

  /** The unit of the numbers, {@code ops/s} or {@code ns}. */
  public String unit() {
    return time ? "ns" : "ops/s";
  }

  /** The geometric mean with its unit. */
  public String text() {
    return write(mean);
  }

  /**
   * The interval, "not known" if it is too wide to say anything, or an empty text if there is none.
   */
  public String range() {
    if (interval == null) {
      return "";
    }
    return interval.high() > MAX_SPAN * interval.low()
        ? "not known"
        : write(interval.low()) + " to " + write(interval.high());
  }

  private String write(double value) {
    return time ? Units.time(value) : Units.rate(value);
  }
}
