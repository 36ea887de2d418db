package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.text.Finding;
import java.util.ArrayList;
import java.util.List;

/** Whether a run may stand beside those of others. */
public final class RunCheck {
  /** Below it nothing is known of how much the figures vary. */
  private static final int TRIALS = 2;

  private RunCheck() {}

  /** Why a run is incomplete or noisy, as sentences without a full stop; empty if it is neither. */
  public static List<String> problems(Results results) {
    List<String> problems = new ArrayList<>();
    if (!results.complete()) {
      problems.add("it was interrupted: run it to the end, with --resume");
    }
    boolean enough = false;
    for (ExperimentResult experiment : results.experiments()) {
      for (ConfigurationResult each : experiment.configurations()) {
        each.trials().stream()
            .filter(trial -> trial.failure() != null)
            .findFirst()
            .ifPresent(trial -> problems.add(failed(each, trial)));
        enough |= Trials.good(each).size() >= TRIALS;
      }
    }
    if (!enough) {
      problems.add("no configuration has two trials: measure with --trials 2 or a longer --budget");
    }
    // what a configuration has to say of itself is on its page
    results.findings().stream()
        .filter(each -> each.level() == Finding.Level.WARNING)
        .map(Finding::message)
        .forEach(problems::add);
    return List.copyOf(problems);
  }

  private static String failed(ConfigurationResult configuration, TrialResult trial) {
    return "trial %d of %s failed (%s): measure without it, by --engines"
        .formatted(trial.number(), configuration.name(), trial.failure());
  }
}
