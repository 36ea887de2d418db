package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Seeds;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One trial of a run.
 *
 * @param experiment its index in the suite
 * @param number from 1; 0 in the round before
 */
record Job(int experiment, Configuration configuration, int number) {
  /** All trials of a plan, in the order in which they run. That comes from the seed alone. */
  static List<Job> of(Plan plan, long seed) {
    List<Job> jobs = new ArrayList<>();
    List<Experiment> experiments = plan.suite().experiments();
    for (int e = 0; e < experiments.size(); e++) {
      Experiment experiment = experiments.get(e);
      List<Configuration> run = experiment.withOwnTrials();
      for (Schedule.Slot slot :
          Schedule.of(run.size(), plan.suite().trials(), Seeds.derive(seed, experiment.name()))) {
        jobs.add(new Job(e, run.get(slot.configuration()), slot.number()));
      }
    }
    // Rounds of all experiments before the next round of any: an interrupted run has something of
    // each.
    jobs.sort(Comparator.comparingInt(Job::number).thenComparingInt(Job::experiment));
    return jobs;
  }

  /** What the keys, values and orders of this trial of any configuration are made from. */
  long seed(Experiment of, long seed) {
    return Seeds.derive(Seeds.derive(seed, of.name() + " trials"), number);
  }
}
