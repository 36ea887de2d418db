package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one configuration showed in one phase.
 *
 * @param configuration its name
 * @param rate operations per second over the trials; where the ranking compares times, their
 *     reciprocal
 * @param costs what else it took
 * @param relative its median as a fraction of the highest median, at most 1
 * @param verdict on it against the one with the highest median; {@code null} for that one itself
 * @param latencies service times of all its trials, or {@code null} if none were recorded
 * @param pacing how it kept to the phase's rate, or {@code null} in a closed loop
 * @param throughput over time, or {@code null} if it was not recorded
 * @param warnings what to know about the figure
 */
public record Standing(
    String configuration,
    Estimate rate,
    PhaseCosts costs,
    double relative,
    @Nullable Verdict verdict,
    @Nullable Latencies latencies,
    @Nullable Pacing pacing,
    @Nullable Throughput throughput,
    List<Warning> warnings) {
  public Standing {
    warnings = List.copyOf(warnings);
  }

  /**
   * The latencies that count: from the intended start where operations start at a fixed rate, else
   * service times. {@code null} if none were recorded.
   */
  public @Nullable Latencies callerLatencies() {
    return pacing != null ? pacing.response() : latencies;
  }

  /** Whether any latencies were recorded. */
  boolean hasLatencies() {
    return latencies != null || callerLatencies() != null;
  }
}
