package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.PhaseSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a configuration was behind in its only trial, where that settles the matter: in every
 * phase slower than the fastest of its group by a factor of {@value #FACTOR} or more.
 *
 * @param min the factor of the phase in which it came closest
 * @param max the factor of the phase in which it was farthest behind
 */
public record FarBehind(double min, double max) {
  /** More trials of a configuration that is slower by this everywhere would decide nothing. */
  public static final double FACTOR = 10;

  /**
   * Finds them among the configurations that have one trial, once all of the experiment have had
   * their first. Phases at a fixed rate do not count: there all are equally fast.
   *
   * @return by name
   */
  public static Map<String, FarBehind> of(ExperimentResult experiment) {
    Map<String, FarBehind> behind = new LinkedHashMap<>();
    List<ConfigurationResult> ran =
        experiment.configurations().stream().filter(each -> each.skipped() == null).toList();
    if (ran.stream().anyMatch(each -> each.trials().isEmpty())) {
      return behind;
    }
    Map<String, Map<String, Double>> fastest = new HashMap<>(); // by group and phase
    for (ConfigurationResult each : ran) {
      Map<String, Double> best = fastest.computeIfAbsent(each.plan().group(), _ -> new HashMap<>());
      rates(each).forEach((phase, rate) -> best.merge(phase, rate, Math::max));
    }
    for (ConfigurationResult each : ran) {
      FarBehind factors = factors(rates(each), fastest.getOrDefault(each.plan().group(), Map.of()));
      if (each.trials().size() == 1 && factors != null && factors.min >= FACTOR) {
        behind.put(each.name(), factors);
      }
    }
    return behind;
  }

  /** The same, once others have had more trials: it stayed with the figures of one. */
  public static Map<String, FarBehind> stayed(ExperimentResult experiment) {
    boolean later = experiment.configurations().stream().anyMatch(each -> each.trials().size() > 1);
    return later ? of(experiment) : Map.of();
  }

  /** Operations per second in the first trial, by phase; none if it failed. */
  private static Map<String, Double> rates(ConfigurationResult of) {
    Map<String, Double> rates = new LinkedHashMap<>();
    TrialResult first = of.trials().getFirst();
    if (first.failure() == null) {
      for (PhaseResult phase : first.phases()) {
        if (phase.openLoop() == null && !PhaseSpec.CALLS.contains(phase.name())) {
          rates.put(phase.name(), phase.rate());
        }
      }
    }
    return rates;
  }

  private static @Nullable FarBehind factors(
      Map<String, Double> rates, Map<String, Double> fastest) {
    FarBehind factors = null;
    for (Map.Entry<String, Double> own : rates.entrySet()) {
      double factor = fastest.getOrDefault(own.getKey(), own.getValue()) / own.getValue();
      factors =
          factors == null
              ? new FarBehind(factor, factor)
              : new FarBehind(Math.min(factors.min, factor), Math.max(factors.max, factor));
    }
    return factors;
  }
}
