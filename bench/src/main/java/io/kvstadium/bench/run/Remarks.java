package io.kvstadium.bench.run;

import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.WriteStalls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a reader must know about the trials of an experiment. */
final class Remarks {
  /** Below this share of a phase, what the engine did is no reason for its figure. */
  private static final double STALLED_SHARE = 0.01;

  private static final Comparator<CostCard.Stalled> MORE_STALLED =
      Comparator.comparingLong(CostCard.Stalled::nanos)
          .thenComparingLong(
              stalled -> stalled.causes().stream().mapToLong(WriteStalls.Cause::times).sum());

  private Remarks() {}

  static List<Finding> of(ExperimentResult experiment) {
    List<Finding> all = new ArrayList<>();
    experiment
        .configurations()
        .forEach(each -> each.trials().forEach(trial -> all.addAll(of(each.name(), trial))));
    experiment.configurations().forEach(each -> all.addAll(stalls(each.name(), each.trials())));
    return all;
  }

  /**
   * For each phase, that of the trial in which writers were held up most; a warning from half of
   * the phase's time on, since the figure is then that of a setting.
   */
  static List<Finding> stalls(String configuration, List<TrialResult> trials) {
    Map<String, CostCard.Stalled> worst = new LinkedHashMap<>();
    for (TrialResult trial : trials) {
      for (CostCard.Stalled stalled : trial.card().stalls()) {
        if (stalled.nanos() < 0 || stalled.nanos() > STALLED_SHARE * stalled.phaseNanos()) {
          worst.merge(stalled.phase(), stalled, (a, b) -> MORE_STALLED.compare(a, b) < 0 ? b : a);
        }
      }
    }
    return worst.values().stream()
        .map(stalled ->
            new Finding(
                2 * stalled.nanos() >= stalled.phaseNanos() ? Level.WARNING : Level.NOTE,
                configuration,
                words(stalled, trials.size())))
        .toList();
  }

  private static String words(CostCard.Stalled stalled, int trials) {
    String time =
        stalled.nanos() < 0
            ? ""
            : String.format(
                Locale.ROOT,
                " for %.1f of %.1f s",
                stalled.nanos() / 1e9,
                stalled.phaseNanos() / 1e9);
    return "the engine held writers up in phase "
        + stalled.phase()
        + time
        + (trials > 1 ? ", at most: " : ": ")
        + stalled.causes().stream()
            .map(cause ->
                String.format(
                    Locale.ROOT, "%,d %s (%s)", cause.times(), cause.what(), cause.advice()))
            .collect(Collectors.joining(", "));
  }

  /** Returns findings that are equal for all trials of a configuration. */
  static List<Finding> of(String configuration, TrialResult trial) {
    CostCard card = trial.card();
    List<Finding> remarks = new ArrayList<>();
    if (!card.settling().unstable().isEmpty()) {
      boolean reports = card.settling().settleNanos() >= 0;
      remarks.add(
          new Finding(
              reports ? Level.WARNING : Level.NOTE,
              configuration,
              (reports
                      ? "the engine had not ended its compactions when these phases began: "
                      : "whether compactions still ran when these phases began is not known,"
                          + " because the engine does not report it: ")
                  + String.join(", ", card.settling().unstable())));
    }
    return remarks;
  }
}
