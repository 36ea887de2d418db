package io.kvstadium.bench.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One workload on several configurations.
 *
 * @param name as in the suite file
 * @param question what it answers, for the head of its section
 * @param form which table form it wants beside the common one: {@code common}, {@code crud} …
 * @param point where it stands in a sweep, or {@code null} if it belongs to none
 * @param memoryBytes the limit of each trial's memory, page cache included, or 0
 * @param data the data's shape by name: records, key form, value size … in the order to be shown
 * @param phases the names of the timed phases, in order
 * @param configurations what was compared; the first is the baseline of verdicts unless another one
 *     is the fastest
 */
public record ExperimentResult(
    String name,
    String question,
    String form,
    @Nullable SweepPoint point,
    long memoryBytes,
    Map<String, String> data,
    List<String> phases,
    List<ConfigurationResult> configurations) {
  public ExperimentResult {
    phases = List.copyOf(phases);
    configurations = List.copyOf(configurations);
  }

  /** With other configurations. */
  public ExperimentResult withConfigurations(List<ConfigurationResult> others) {
    return new ExperimentResult(name, question, form, point, memoryBytes, data, phases, others);
  }
}
