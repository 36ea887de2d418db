package io.kvstadium.advise;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the trials of a configuration gave, as far as the choice depends on it.
 *
 * @param speeds trial number → what is compared; higher is better
 * @param rate operations per second, whatever is compared; NaN if unknown
 * @param tailNanos the percentile that counts, in the phase where it is longest; NaN if unknown
 * @param meetsTimes whether the limit and the rate were met
 * @param trials what other figures are extracted from
 * @param failure why it cannot be chosen, or {@code null}
 */
record Outcome(
    Map<Integer, Double> speeds,
    double rate,
    double tailNanos,
    boolean meetsTimes,
    Samples trials,
    @Nullable String failure) {
  static Outcome failed(String why) {
    Samples none = new Samples(List.of(), List.of());
    return new Outcome(Map.of(), Double.NaN, Double.NaN, false, none, why);
  }

  /**
   * @param result its trials have not failed
   * @param loads names of phases that load
   * @param outside why it is not compared, or {@code null}
   */
  static Outcome of(
      ConfigurationResult result,
      Set<String> loads,
      Map<Integer, Double> speeds,
      double rate,
      @Nullable String outside,
      Needs needs) {
    List<TrialResult> trials = result.trials();
    Figure percentile = Figures.percentile(needs.level());
    double tail =
        timed(trials, loads).stream()
            .mapToDouble(each -> percentile.of(Samples.of(each)))
            .filter(Double::isFinite)
            .max()
            .orElse(Double.NaN);
    long met =
        trials.stream()
            .filter(each ->
                timed(List.of(each), loads).stream()
                    .flatMap(List::stream)
                    .allMatch(phase -> isMet(phase, needs)))
            .count();
    Samples whole = new Samples(trials, List.of());
    return new Outcome(speeds, rate, tail, 2 * met > trials.size(), whole, outside);
  }

  /** The phases whose times count: those at a rate, if there are any, else all but loads. */
  private static List<List<PhaseResult>> timed(List<TrialResult> trials, Set<String> loads) {
    Map<String, List<PhaseResult>> phases = new LinkedHashMap<>();
    for (TrialResult trial : trials) {
      for (PhaseResult each : trial.phases()) {
        if (!PhaseSpec.CALLS.contains(each.name()) && each.operations() > 0) {
          phases.computeIfAbsent(each.name(), _ -> new ArrayList<>()).add(each);
        }
      }
    }
    boolean atRate = phases.values().stream().anyMatch(own -> own.getFirst().openLoop() != null);
    if (atRate) {
      phases.values().removeIf(own -> own.getFirst().openLoop() == null);
    } else if (!loads.containsAll(phases.keySet())) {
      phases.keySet().removeAll(loads);
    }
    return List.copyOf(phases.values());
  }

  private static boolean isMet(PhaseResult phase, Needs needs) {
    OpenLoop openLoop = phase.openLoop();
    String histogram = phase.batch() == 1 ? phase.histogram() : null;
    return openLoop != null
        ? openLoop.held()
        : needs.limit() == null
            || histogram == null
            || Latencies.percentile(histogram, needs.level()) < needs.limit().nanos();
  }

  /** Over all trials; 0 if there is none. */
  double speed() {
    double[] own = speeds.values().stream().mapToDouble(each -> each).toArray();
    return own.length == 0 ? 0 : Estimate.of(own).mean();
  }

  /** Bytes of the store at rest; NaN if unknown. */
  double disk() {
    return Figures.DISK.of(trials);
  }

  /** Whether the store is not too large, if this is a share of the data. */
  boolean meetsDisk(Needs needs, double share) {
    return needs.disk() == 0 || !(disk() / share > needs.disk());
  }

  /** Whether the needs are met, if this is a share of the data. */
  boolean meets(Needs needs, double share) {
    return failure == null && meetsTimes && meetsDisk(needs, share);
  }

  /** This one, where the times of another experiment count as well. */
  Outcome with(Outcome other) {
    boolean longer = Double.isNaN(tailNanos) || other.tailNanos > tailNanos;
    return new Outcome(
        speeds,
        rate,
        longer ? other.tailNanos : tailNanos,
        meetsTimes && other.meetsTimes,
        trials,
        failure == null ? other.failure : failure);
  }
}
