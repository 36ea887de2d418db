package io.kvstadium.bench.run;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;

/** What a reader must know about the trials of an experiment. */
final class Remarks {
  private Remarks() {}

  static List<Finding> of(ExperimentResult experiment) {
    List<Finding> all = failures(experiment);
    experiment
        .configurations()
        .forEach(each -> each.trials().forEach(trial -> all.addAll(of(each.name(), trial))));
    return all;
  }

  /** A line for each configuration that has failed trials. */
  private static List<Finding> failures(ExperimentResult experiment) {
    List<Finding> findings = new ArrayList<>();
    for (ConfigurationResult configuration : experiment.configurations()) {
      List<TrialResult> failed =
          configuration.trials().stream().filter(each -> each.failure() != null).toList();
      if (!failed.isEmpty()) {
        int all = configuration.trials().size();
        findings.add(
            new Finding(
                Level.FAILURE,
                configuration.name(),
                failed.size()
                    + " of "
                    + all
                    + (all == 1 ? " trial of " : " trials of ")
                    + experiment.name()
                    + " failed and "
                    + (failed.size() == 1 ? "has" : "have")
                    + " no figures; the first: "
                    + failed.getFirst().failure()));
      }
    }
    return findings;
  }

  /** Returns findings that are equal for all trials of a configuration. */
  static List<Finding> of(String configuration, TrialResult trial) {
    CostCard card = trial.card();
    List<Finding> remarks = new ArrayList<>();
    if (!card.settling().unsettled().isEmpty()) {
      boolean reports = card.settling().settleNanos() >= 0;
      remarks.add(
          new Finding(
              reports ? Level.WARNING : Level.NOTE,
              configuration,
              (reports
                      ? "the engine had not ended its compactions when these phases began: "
                      : "whether compactions still ran when these phases began is not known,"
                          + " because the engine does not report it: ")
                  + String.join(", ", card.settling().unsettled())));
    }
    return remarks;
  }
}
