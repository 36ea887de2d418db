package io.kvstadium.bench.suite;

import java.util.List;

/**
 * A file of experiments.
 *
 * @param name of the suite, as in the results' directory
 * @param description one sentence for lists
 * @param trials how many times each configuration runs, or 0 if the budget decides
 * @param budget how many seconds the whole run may take, with as many rounds as fit; 0 if the
 *     number of trials is fixed
 * @param heap the fixed heap of a trial's virtual machine in bytes
 * @param experiments in order
 */
public record Suite(
    String name,
    String description,
    int trials,
    double budget,
    long heap,
    List<Experiment> experiments) {
  public Suite {
    experiments = List.copyOf(experiments);
  }

  /** Returns a copy with a fixed number of trials. */
  public Suite withTrials(int fixed) {
    return new Suite(name, description, fixed, 0, heap, experiments);
  }

  /** Returns a copy with as many trials as fit into this many seconds. */
  public Suite withBudget(double seconds) {
    return new Suite(name, description, 0, seconds, heap, experiments);
  }

  public Suite withExperiments(List<Experiment> others) {
    return new Suite(name, description, trials, budget, heap, others);
  }
}
