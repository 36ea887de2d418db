package io.kvstadium.bench.report;

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
  @SuppressWarnings("unused")
  static @Nullable Mark of(List<double[]> trials) {
    return null;
  }
}
