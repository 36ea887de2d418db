package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One figure of a configuration's trials.
 *
 * @param operation the kind of operation that it is of, or an empty text for all of a phase
 * @param speeds trial number → the figure as statistics compare it: higher is better
 */
public record FigureTrials(
    ConfigurationResult configuration,
    Figure figure,
    String operation,
    Map<Integer, Double> speeds) {
  /** What a phase is compared by. */
  public static FigureTrials of(Trials trials) {
    return new FigureTrials(trials.configuration(), trials.measure().figure(), "", trials.speeds());
  }

  /**
   * Another figure, where it is known.
   *
   * @param phase whose figure it is; empty for one of whole trials
   */
  public static FigureTrials of(
      ConfigurationResult configuration, String phase, Figure figure, String operation) {
    Map<Integer, Double> speeds = new TreeMap<>();
    for (TrialResult trial : Trials.good(configuration)) {
      PhaseResult own = Trials.phase(trial, phase);
      Samples all = new Samples(List.of(trial), own == null ? List.of() : List.of(own));
      double value = figure.of(operation.isEmpty() ? all : all.only(operation));
      if (value > 0) {
        speeds.put(trial.number(), figure.speed(value));
      }
    }
    return new FigureTrials(configuration, figure, operation, speeds);
  }

  /** The geometric mean, with its interval; there is at least one trial. */
  public FigureEstimate estimate() {
    double[] own = speeds.values().stream().mapToDouble(each -> each).toArray();
    return FigureEstimate.of(Estimate.of(own), figure);
  }

  /**
   * Whether trials with the same number saw the same data wherever both have one, and there are
   * such trials.
   */
  public boolean sameData(FigureTrials other) {
    Map<Integer, Long> theirs = other.seeds();
    Map<Integer, Long> common = seeds();
    common.keySet().retainAll(theirs.keySet());
    return !common.isEmpty() && theirs.entrySet().containsAll(common.entrySet());
  }

  private Map<Integer, Long> seeds() {
    Map<Integer, Long> seeds = new TreeMap<>();
    configuration.trials().forEach(trial -> seeds.put(trial.number(), trial.seed()));
    seeds.keySet().retainAll(speeds.keySet());
    return seeds;
  }
}
