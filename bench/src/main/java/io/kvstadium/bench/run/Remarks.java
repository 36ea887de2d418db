package io.kvstadium.bench.run;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.Network;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** What a reader must know about the trials of an experiment. */
final class Remarks {
  private Remarks() {}

  /** From this share of a phase on, it matters that clients did not begin together. */
  private static final double LATE_SHARE = 0.1;

  static List<Finding> of(ExperimentResult experiment) {
    List<Finding> all = failures(experiment);
    experiment
        .configurations()
        .forEach(each -> {
          each.trials().forEach(trial -> all.addAll(of(each.name(), trial)));
          all.addAll(network(each.name(), each.trials()));
        });
    return all;
  }

  private static boolean beganApart(TrialResult trial) {
    Network network = trial.network();
    return network != null
        && trial.phases().stream()
            .anyMatch(phase ->
                network.startNanos().getOrDefault(phase.name(), 0L) > LATE_SHARE * phase.nanos());
  }

  /** How far away its server was. */
  static List<Finding> network(String configuration, List<TrialResult> trials) {
    List<Network> networks =
        trials.stream().map(TrialResult::network).filter(Objects::nonNull).toList();
    long[] trips =
        networks.stream()
            .flatMap(each -> each.roundTripNanos().stream())
            .mapToLong(Long::longValue)
            .sorted()
            .toArray();
    if (trips.length == 0) {
      return List.of();
    }
    String text =
        String.format(
            Locale.ROOT,
            "round trip to the store %.3f ms: a get of a key that is not there, median of some hundred",
            trips[trips.length / 2] / 1e6);
    if (trips.length > 1) {
      text +=
          String.format(
              Locale.ROOT,
              " (%.3f to %.3f over trials and clients)",
              trips[0] / 1e6,
              trips[trips.length - 1] / 1e6);
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(new Finding(Level.NOTE, configuration, text));
    if (trials.stream().anyMatch(Remarks::beganApart)) {
      findings.add(
          new Finding(
              Level.WARNING,
              configuration,
              "in some phases the last client began when a tenth of the time was over, and the figure is"
                  + " that much too low: let phases run longer, or use fewer clients than there are"
                  + " processors"));
    }
    return findings;
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

  /**
   * Returns findings that are equal for all trials of a configuration, except for what happened in
   * one of them.
   */
  static List<Finding> of(String configuration, TrialResult trial) {
    CostCard card = trial.card();
    List<Finding> remarks = new ArrayList<>();
    if (!card.settling().unsettled().isEmpty()) {
      boolean tells = card.settling().settleNanos() >= 0;
      remarks.add(
          new Finding(
              tells ? Level.WARNING : Level.NOTE,
              configuration,
              (tells
                      ? "the engine had not ended its compactions when these phases began: "
                      : "whether compactions still ran when these phases began is not known,"
                          + " because the engine does not report it: ")
                  + String.join(", ", card.settling().unsettled())));
    }
    String afterKill = card.kill().afterKill();
    if (afterKill != null) {
      remarks.add(
          new Finding(Level.FAILURE, configuration, "trial " + trial.number() + ": " + afterKill));
    }
    return remarks;
  }
}
