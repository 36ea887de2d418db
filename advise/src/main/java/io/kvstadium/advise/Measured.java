package io.kvstadium.advise;

import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.Speeds;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Families;
import io.kvstadium.bench.stats.Family;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment gave, compared as its report compares it: by {@link OverallRanking}, or by the
 * only phase that there is. Where a rate or a limit was asked for and phases have a rate, by the
 * slowest of these.
 *
 * @param rate what the rates of outcomes are
 * @param compared what their speeds are of
 * @param family the verdicts on any two
 * @param outcomes of configurations that had a trial
 */
record Measured(Figure rate, Figure compared, Family family, Map<String, Outcome> outcomes) {
  private static final String SLOWEST = "slowest";

  static Measured of(ExperimentResult experiment, Needs needs) {
    Speeds speeds = Speeds.of(experiment, experiment.configurations());
    String whole = speeds.whole();
    Map<String, List<Trials>> atRate = needs.paces() ? speeds.atFixedRate() : Map.of();
    Figure rate = speeds.overall() == null ? Figures.RATE : OverallRanking.FIGURE;
    Figure compared = rate;
    Family family = speeds.families().of(whole == null ? "" : whole);
    Map<String, Map<Integer, Double>> own = whole == null ? Map.of() : speeds.at(whole);
    if (!atRate.isEmpty()) {
      compared = atRate.values().iterator().next().getFirst().measure().figure();
      own = slowest(atRate);
      family = Families.of(Map.of(SLOWEST, own), Set.of(SLOWEST)).of(SLOWEST);
    }
    Map<String, Double> rates = rates(speeds, whole);
    Set<String> loads =
        experiment.plan().phases().stream()
            .filter(each -> each.operation().loads())
            .map(PhaseSpec::name)
            .collect(Collectors.toSet());
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (ConfigurationResult each : experiment.configurations()) {
      String failure = failure(each, own, speeds);
      if (!each.trials().isEmpty()) {
        outcomes.put(
            each.name(),
            failure != null
                ? Outcome.failed(failure)
                : Outcome.of(
                    each,
                    loads,
                    own.getOrDefault(each.name(), Map.of()),
                    rates.getOrDefault(each.name(), Double.NaN),
                    speeds.outside().get(each.name()),
                    needs));
      }
    }
    return new Measured(rate, compared, family, outcomes);
  }

  /** The speed of one; 0 if it has none. */
  double speed(String configuration) {
    Outcome own = outcomes.get(configuration);
    return own == null ? 0 : own.speed();
  }

  /** Why there are no figures of one. */
  private static @Nullable String failure(
      ConfigurationResult of, Map<String, Map<Integer, Double>> speeds, Speeds all) {
    List<String> missing = all.overall() == null ? null : all.overall().others().get(of.name());
    return of.trials().stream()
        .map(TrialResult::failure)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() ->
            missing != null
                ? String.join(", ", missing)
                : speeds.containsKey(of.name()) || all.outside().containsKey(of.name())
                    ? null
                    : "nothing was measured");
  }

  /** Trial by trial, the speed in the phase where it is lowest. */
  private static Map<String, Map<Integer, Double>> slowest(Map<String, List<Trials>> phases) {
    Map<String, Map<Integer, Double>> slowest = new LinkedHashMap<>();
    phases.values().stream()
        .flatMap(List::stream)
        .forEach(own ->
            own.speeds()
                .forEach((number, speed) ->
                    slowest
                        .computeIfAbsent(own.configuration().name(), _ -> new TreeMap<>())
                        .merge(number, speed, Math::min)));
    return slowest;
  }

  private static Map<String, Double> rates(Speeds speeds, @Nullable String phase) {
    Map<String, Double> rates = new LinkedHashMap<>();
    if (speeds.overall() != null) {
      OverallRanking.of(speeds.overall(), speeds.families().of(OverallRanking.PHASE))
          .standings()
          .forEach(each -> rates.put(each.configuration(), each.figure().mean()));
    } else {
      speeds
          .phases()
          .getOrDefault(phase == null ? "" : phase, List.of())
          .forEach(each -> rates.put(each.configuration().name(), Figures.RATE.of(each.samples())));
    }
    return rates;
  }
}
