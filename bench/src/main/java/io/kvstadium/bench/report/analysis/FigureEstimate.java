package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A figure over trials.
 *
 * @param mean the geometric mean
 * @param interval in the same unit, or {@code null} if there is none
 */
public record FigureEstimate(Figure figure, double mean, @Nullable Interval interval) {
  /** An interval wider than this factor leaves the figure open. */
  private static final double MAX_SPAN = 100;

  /** What the estimate of a speed says of the figure that it is the speed of. */
  public static FigureEstimate of(Estimate speed, Figure figure) {
    Interval own = speed.interval();
    Interval ends =
        own == null
            ? null
            : figure.better() == Figure.Better.LOWER
                ? new Interval(figure.ofSpeed(own.high()), figure.ofSpeed(own.low()))
                : own;
    return new FigureEstimate(figure, figure.ofSpeed(speed.mean()), ends);
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
    return figure.unit().text(value);
  }
}
