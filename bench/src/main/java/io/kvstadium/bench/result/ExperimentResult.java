package io.kvstadium.bench.result;

import java.util.List;
import java.util.Map;

/**
 * One workload on several configurations.
 *
 * @param name as in the suite file
 * @param question what it answers, for the head of its section
 * @param form which table form it wants beside the common one: {@code common} or {@code crud}
 * @param data the data's shape by name: records, key form, value size … in the order to be shown
 * @param phases the names of the timed phases, in order
 * @param configurations what was compared; the first is the baseline of verdicts unless another one
 *     is the fastest
 */
public record ExperimentResult(
    String name,
    String question,
    String form,
    Map<String, String> data,
    List<String> phases,
    List<ConfigurationResult> configurations) {
  public ExperimentResult {
    phases = List.copyOf(phases);
    configurations = List.copyOf(configurations);
  }
}
