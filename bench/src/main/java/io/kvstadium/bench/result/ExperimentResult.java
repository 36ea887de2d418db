package io.kvstadium.bench.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One workload on several configurations.
 *
 * @param name as in the suite file
 * @param question what it answers, for the head of its section
 * @param tables which ones it wants beside the common one: {@code common}, {@code crud} …
 * @param point where it stands in a sweep, or {@code null} if it belongs to none
 * @param memoryBytes the limit of each trial's memory, page cache included, or 0
 * @param paired whether each trial ran a configuration and its engine used by hand in turns
 * @param data the data's shape by name: records, key form, value size … in the order to be shown
 * @param phases the names of the timed phases, in order
 * @param aim what its reader is after
 * @param configurations what was compared; the first is the baseline of verdicts unless another one
 *     is the fastest
 */
public record ExperimentResult(
    String name,
    String question,
    String tables,
    @Nullable SweepPoint point,
    long memoryBytes,
    boolean paired,
    Map<String, String> data,
    List<String> phases,
    Aim aim,
    List<ConfigurationResult> configurations) {
  public ExperimentResult {
    phases = List.copyOf(phases);
    configurations = List.copyOf(configurations);
  }

  /** One whose reader is after nothing else. */
  public ExperimentResult(
      String name,
      String question,
      String tables,
      @Nullable SweepPoint point,
      long memoryBytes,
      boolean paired,
      Map<String, String> data,
      List<String> phases,
      List<ConfigurationResult> configurations) {
    this(
        name, question, tables, point, memoryBytes, paired, data, phases, Aim.NONE, configurations);
  }

  /** With another aim. */
  public ExperimentResult withAim(Aim other) {
    return new ExperimentResult(
        name, question, tables, point, memoryBytes, paired, data, phases, other, configurations);
  }

  /** With other configurations. */
  public ExperimentResult withConfigurations(List<ConfigurationResult> others) {
    return new ExperimentResult(
        name, question, tables, point, memoryBytes, paired, data, phases, aim, others);
  }
}
