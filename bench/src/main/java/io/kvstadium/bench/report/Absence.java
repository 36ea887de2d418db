package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;

/**
 * A figure that is missing, and why.
 *
 * @param what {@code skipped}, or {@code trial 3 failed}
 * @param reason as it was reported
 */
record Absence(String configuration, String what, String reason) {
  static List<Absence> of(ExperimentResult experiment) {
    List<Absence> all = new ArrayList<>();
    for (ConfigurationResult own : experiment.configurations()) {
      if (own.skipped() != null) {
        all.add(new Absence(own.name(), "skipped", own.skipped()));
      }
      own.trials().forEach(trial -> add(all, own.name(), trial));
    }
    return List.copyOf(all);
  }

  private static void add(List<Absence> all, String name, TrialResult trial) {
    String number = "trial " + trial.number();
    if (trial.failure() != null) {
      all.add(new Absence(name, number + " failed", trial.failure()));
    }
    for (PhaseResult phase : trial.phases()) {
      Pace pace = phase.pace();
      // a search in which every rate broke the limit has found none
      if (pace != null && !pace.tries().isEmpty() && !pace.held()) {
        double lowest = pace.tries().stream().mapToDouble(Pace.Try::rate).min().orElseThrow();
        String why = "no rate held " + pace.limit() + ", not even " + Units.rate(lowest);
        all.add(new Absence(name, number + ", " + phase.name(), why));
      }
    }
  }
}
