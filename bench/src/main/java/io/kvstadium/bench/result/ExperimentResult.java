package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Durability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One experiment: what was planned, and what its trials gave.
 *
 * @param plan the experiment; its configurations are below, with their trials
 * @param data the data's shape by name, see {@link Facts}: records, key form, value size …
 * @param configurations what was compared; the first is the baseline of verdicts unless another one
 *     is the fastest
 */
public record ExperimentResult(
    Experiment plan, Map<String, Object> data, List<ConfigurationResult> configurations) {
  public ExperimentResult {
    plan = plan.withConfigurations(List.of());
    data = Facts.of(data);
    configurations = List.copyOf(configurations);
  }

  /** As in the suite file. */
  public String name() {
    return plan.name();
  }

  /** The data's shape without the seed, which is that of the trial that ended last. */
  public Map<String, Object> shape() {
    Map<String, Object> shape = new LinkedHashMap<>(data);
    shape.remove("seed");
    return shape;
  }

  /** The names of the timed phases, in order. */
  public List<String> phases() {
    List<String> phases = new ArrayList<>(List.of("create", "open"));
    plan.allPhases().forEach(each -> phases.add(each.name()));
    phases.add("close");
    return phases;
  }

  /** The durability of those phases that have one of their own. */
  public Map<String, Durability> levels() {
    Map<String, Durability> levels = new LinkedHashMap<>();
    for (PhaseSpec phase : plan.phases()) {
      if (phase.durability() != null) {
        levels.put(phase.name(), phase.durability());
      }
    }
    return levels;
  }

  public ExperimentResult withPlan(Experiment other) {
    return new ExperimentResult(other, data, configurations);
  }
}
