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
 * @param rate operations per second over the trials
 * @param cpuNanos processor time per operation, median over trials, or NaN if unknown
 * @param relative its median as a fraction of the highest median, at most 1
 * @param verdict on it against the one with the highest median; {@code null} for that one itself
 * @param latencies of all its trials, or {@code null} if none were recorded
 * @param marks what to know about the figure
 */
public record Cell(
    String configuration,
    Estimate rate,
    double cpuNanos,
    double relative,
    @Nullable Verdict verdict,
    @Nullable Latencies latencies,
    List<Mark> marks) {
  public Cell {
    marks = List.copyOf(marks);
  }
}
