package io.kvstadium.bench.suite;

import java.util.List;

/**
 * One workload on several configurations.
 *
 * @param name unique in its suite
 * @param question what it answers
 * @param form the table form it wants beside the common one: {@code common}, {@code crud} or {@code
 *     overhead}
 * @param data what the stores hold
 * @param phases in order
 * @param configurations what is compared; empty for every installed engine that can
 */
public record Experiment(
    String name,
    String question,
    String form,
    DataSpec data,
    List<PhaseSpec> phases,
    List<Configuration> configurations) {
  public Experiment {
    phases = List.copyOf(phases);
    configurations = List.copyOf(configurations);
  }

  /** Whether each trial runs a configuration and its engine used by hand in turns. */
  public boolean paired() {
    return form.equals("overhead");
  }

  /** The configurations that have trials of their own; in pairs, those by hand share others'. */
  public List<Configuration> withOwnTrials() {
    return configurations.stream()
        .filter(each -> !paired() || each.access() != Configuration.Access.RAW)
        .toList();
  }

  /** With other configurations. */
  public Experiment withConfigurations(List<Configuration> others) {
    return new Experiment(name, question, form, data, phases, others);
  }

  /** With other phases. */
  public Experiment withPhases(List<PhaseSpec> others) {
    return new Experiment(name, question, form, data, others, configurations);
  }

  /** With other data. */
  public Experiment withData(DataSpec other) {
    return new Experiment(name, question, form, other, phases, configurations);
  }
}
