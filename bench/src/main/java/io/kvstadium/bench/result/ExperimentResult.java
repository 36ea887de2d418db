package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.SweepPoint;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One workload on several configurations.
 *
 * @param name as in the suite file
 * @param question what it answers, for the head of its section
 * @param point its point in a sweep, or {@code null} if it belongs to none
 * @param memoryBytes the limit of each trial's memory, page cache included, or 0
 * @param data the data's shape by name, see {@link Facts}: records, key form, value size …
 * @param phases the names of the timed phases, in order
 * @param levels the durability of those phases that have one of their own: phase → level
 * @param aim what its reader wants to know
 * @param configurations what was compared; the first is the baseline of verdicts unless another one
 *     is the fastest
 */
public record ExperimentResult(
    String name,
    String question,
    @Nullable SweepPoint point,
    long memoryBytes,
    Map<String, Object> data,
    List<String> phases,
    Map<String, String> levels,
    Aim aim,
    List<ConfigurationResult> configurations) {
  public ExperimentResult {
    data = Facts.of(data);
    phases = List.copyOf(phases);
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
    configurations = List.copyOf(configurations);
  }

  /** Makes one without a particular aim. */
  public ExperimentResult(
      String name,
      String question,
      @Nullable SweepPoint point,
      long memoryBytes,
      Map<String, Object> data,
      List<String> phases,
      List<ConfigurationResult> configurations) {
    this(name, question, point, memoryBytes, data, phases, Map.of(), Aim.NONE, configurations);
  }

  /** Returns a copy with the given aim. */
  public ExperimentResult withAim(Aim other) {
    return new ExperimentResult(
        name, question, point, memoryBytes, data, phases, levels, other, configurations);
  }

  /** Returns a copy with the given configurations. */
  public ExperimentResult withConfigurations(List<ConfigurationResult> others) {
    return new ExperimentResult(
        name, question, point, memoryBytes, data, phases, levels, aim, others);
  }
}
