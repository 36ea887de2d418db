package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The preliminary round before the trials, for rates that are shares of a maximum: each
 * configuration shows what it can do without a rate, and the smallest maximum of a group gives one
 * rate for the whole group. The round yields no figures.
 */
final class Calibration {
  /** Its warm-up is short: the trials warm up again. */
  static final double WARM_UP_SECONDS = 0.6;

  private final Experiment experiment;
  private final List<PlannedTrial> trials;
  private final Map<Configuration, TrialResult> results = new LinkedHashMap<>();

  /**
   * @param trials of the experiment
   */
  Calibration(Experiment experiment, List<PlannedTrial> trials) {
    this.experiment = experiment;
    this.trials = trials;
  }

  /** Returns the phase that a rate is a share of, or {@code null} if it is not a share. */
  private static @Nullable String of(PhaseSpec phase) {
    Rate rate = phase.rate();
    return rate != null && rate.kind() == Rate.Kind.SHARE ? rate.of() : null;
  }

  /**
   * Returns what a configuration does in the preliminary round: all its phases without a rate, up
   * to the last whose maximum is needed; none if no rate depends on it.
   *
   * @param fit the phases that it can run
   */
  static List<PhaseSpec> phases(List<PhaseSpec> fit) {
    Set<String> asked = new LinkedHashSet<>();
    fit.forEach(phase -> Stream.ofNullable(of(phase)).forEach(asked::add));
    int end = 0;
    for (int i = 0; i < fit.size(); i++) {
      if (asked.contains(fit.get(i).name())) {
        end = i + 1;
      }
    }
    return fit.subList(0, end).stream().filter(phase -> phase.rate() == null).toList();
  }

  /** Called when a configuration has ended, successfully or not. */
  void ended(Configuration configuration, TrialResult result) {
    results.put(configuration, result);
  }

  /** Returns the rates, once all have ended. */
  List<CalibratedRate> rates() {
    List<CalibratedRate> rates = new ArrayList<>();
    List<String> groups =
        experiment.configurations().stream().map(Configuration::group).distinct().toList();
    for (String group : groups) {
      for (PhaseSpec phase : experiment.phases()) {
        String of = of(phase);
        Rate rate = phase.rate();
        if (of != null && rate != null && wanted(group, phase)) {
          Map.Entry<String, Double> slowest = slowest(group, of);
          rates.add(
              new CalibratedRate(
                  experiment.name(),
                  group,
                  phase.name(),
                  of,
                  rate.value(),
                  slowest == null ? 0 : slowest.getValue(),
                  slowest == null ? null : slowest.getKey(),
                  groups.size() > 1 ? experiment.name() + ", " + group : experiment.name()));
        }
      }
    }
    return rates;
  }

  private boolean wanted(String group, PhaseSpec phase) {
    return trials.stream()
        .filter(each -> each.configuration().group().equals(group))
        .flatMap(each -> each.phases().stream())
        .anyMatch(each -> each.name().equals(phase.name()));
  }

  private Map.@Nullable Entry<String, Double> slowest(String group, String phase) {
    Map.Entry<String, Double> slowest = null;
    for (Map.Entry<Configuration, TrialResult> each : results.entrySet()) {
      TrialResult trial = each.getValue();
      if (!each.getKey().group().equals(group) || trial.failure() != null) {
        continue;
      }
      for (PhaseResult result : trial.phases()) {
        if (result.name().equals(phase)
            && (slowest == null || result.rate() < slowest.getValue())) {
          slowest = Map.entry(each.getKey().name(), result.rate());
        }
      }
    }
    return slowest;
  }

  /** Returns which configurations do not count for the rates because they failed. */
  List<Finding> failures() {
    List<Finding> findings = new ArrayList<>();
    results.forEach((configuration, trial) -> {
      if (trial.failure() != null) {
        findings.add(
            new Finding(
                Level.WARNING,
                configuration.name(),
                "failed in the preliminary round before the trials of "
                    + experiment.name()
                    + ", so that rates which are shares of a maximum do not consider it: "
                    + trial.failure()));
      }
    });
    return findings;
  }

  /**
   * Returns the phases of a configuration with operations per second in place of shares; those
   * whose rate could not be found are left out.
   */
  static List<PhaseSpec> resolved(
      List<PhaseSpec> phases, String experiment, String group, List<CalibratedRate> rates) {
    List<PhaseSpec> resolved = new ArrayList<>();
    for (PhaseSpec phase : phases) {
      Rate rate = phase.rate();
      if (of(phase) == null || rate == null) {
        resolved.add(phase);
        continue;
      }
      rates.stream()
          .filter(each ->
              each.experiment().equals(experiment)
                  && each.group().equals(group)
                  && each.phase().equals(phase.name())
                  && each.maximum() > 0)
          .findFirst()
          .ifPresent(each -> resolved.add(phase.withRate(rate.absolute(each.perSecond()))));
    }
    return resolved;
  }
}
