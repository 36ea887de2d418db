package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Trend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges a phase by its throughput over time. */
final class Steadiness {
  private Steadiness() {}

  /**
   * A mark for a phase that still got faster or slower, or {@code null}.
   *
   * @param trials for each trial, the rate in each of its whole intervals
   */
  static @Nullable Mark of(List<double[]> trials) {
    Trend trend = Trend.of(trials);
    return trend.state() == Trend.State.NOT_STEADY
        ? new Mark(
            "not steady",
            "its throughput changed by "
                + (trend.change() < 0 ? "−" : "+")
                + Units.percent(Math.abs(trend.change()))
                + " over its second half")
        : null;
  }
}
