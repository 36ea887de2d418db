package io.kvstadium.bench.suite;

import java.util.List;

/**
 * A file of experiments.
 *
 * @param name of the suite, as in the results' directory
 * @param description one sentence for lists
 * @param trials how often each configuration runs
 * @param seconds how long the whole run should take at most, or 0 if each phase has its own
 *     measure; phases that name neither operations nor seconds share it
 * @param heap the fixed heap of a trial's virtual machine in bytes
 * @param experiments in order
 */
public record Suite(
    String name,
    String description,
    int trials,
    double seconds,
    long heap,
    List<Experiment> experiments) {
  public Suite {
    experiments = List.copyOf(experiments);
  }

  /** With another number of trials. */
  public Suite withTrials(int newTrials) {
    return new Suite(name, description, newTrials, seconds, heap, experiments);
  }

  /** With other experiments. */
  public Suite withExperiments(List<Experiment> others) {
    return new Suite(name, description, trials, seconds, heap, others);
  }
}
