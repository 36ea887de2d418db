package io.kvstadium.advise;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a trial gave, as far as the choice depends on it.
 *
 * @param speed operations per second: the geometric mean over the phases; at a given rate the
 *     reciprocal of the percentile in seconds
 * @param rate operations per second, whatever the speed is
 * @param tailNanos the percentile that counts, in the phase where it is longest; NaN if unknown
 * @param kept whether the limit and the rate were kept
 * @param memory anonymous bytes of the process, the harness included; negative if unknown
 * @param disk bytes of the store at rest; negative if unknown
 * @param written bytes to the device for each byte of entries written; NaN if unknown
 * @param failure why there are no figures, or {@code null}
 */
record Figures(
    double speed,
    double rate,
    double tailNanos,
    boolean kept,
    long memory,
    long disk,
    double written,
    @Nullable String failure) {
  /** Those of each trial, by its number. */
  static Map<Integer, Figures> of(ConfigurationResult result, Needs needs) {
    Map<Integer, Figures> figures = new LinkedHashMap<>();
    result.trials().forEach(each -> figures.put(each.number(), of(each, needs)));
    return figures;
  }

  static Figures of(TrialResult trial, Needs needs) {
    List<PhaseResult> phases = counted(trial);
    if (trial.failure() != null || phases.isEmpty()) {
      String why = trial.failure() == null ? "nothing was measured" : trial.failure();
      return new Figures(0, 0, Double.NaN, false, -1, -1, Double.NaN, why);
    }
    double logs = 0;
    int closed = 0;
    double tail = Double.NaN;
    boolean atRate = false;
    boolean kept = true;
    for (PhaseResult phase : phases) {
      OpenLoop openLoop = phase.openLoop();
      String histogram = openLoop == null ? phase.histogram() : openLoop.response();
      if (openLoop != null && !atRate) {
        atRate = true;
        tail = Double.NaN; // service times no longer matter
      }
      if (histogram != null && phase.batch() == 1 && atRate == (openLoop != null)) {
        double own = Latencies.percentile(histogram, needs.level());
        tail = Double.isNaN(tail) ? own : Math.max(tail, own);
      }
      kept &= openLoop == null || openLoop.held();
      if (openLoop == null || phases.size() == 1) {
        logs += Math.log(phase.rate());
        closed++;
      }
    }
    if (!atRate) {
      kept = needs.limit() == null || Double.isNaN(tail) || tail < needs.limit().nanos();
    }
    double rate = closed == 0 ? 0 : Math.exp(logs / closed);
    CostCard card = trial.card();
    CostCard.Traffic traffic = card.traffic();
    return new Figures(
        atRate && tail > 0 ? 1e9 / tail : rate,
        rate,
        tail,
        kept,
        card.memory().anonymousBytes(),
        card.sizes().resting(),
        traffic.writtenBytes() < 0 || traffic.movedBytes() <= 0
            ? Double.NaN
            : (double) traffic.writtenBytes() / traffic.movedBytes(),
        null);
  }

  /** The figures of several trials: the mean speed, and otherwise those of the middle one. */
  static Figures typical(Collection<Figures> trials) {
    Figures failed = trials.stream().filter(each -> each.failure != null).findFirst().orElse(null);
    if (failed != null) {
      return failed;
    }
    long kept = trials.stream().filter(Figures::kept).count();
    return new Figures(
        Math.exp(trials.stream().mapToDouble(each -> Math.log(each.speed)).average().orElse(0)),
        median(trials, Figures::rate),
        median(trials, Figures::tailNanos),
        2 * kept > trials.size(),
        whole(median(trials, Figures::memory)),
        whole(median(trials, Figures::disk)),
        median(trials, Figures::written),
        null);
  }

  private static long whole(double median) {
    return Double.isNaN(median) ? -1 : Math.round(median);
  }

  private static double median(Collection<Figures> trials, ToDoubleFunction<Figures> figure) {
    return Samples.median(trials.stream().mapToDouble(figure));
  }

  /** Whether the needs are met, if this is a share of the data. */
  boolean meets(Needs needs, double share) {
    return failure == null && kept && (needs.disk() == 0 || disk / share <= needs.disk());
  }

  /** Without the load, unless there is nothing else. */
  private static List<PhaseResult> counted(TrialResult trial) {
    List<PhaseResult> all =
        trial.phases().stream()
            .filter(each -> !PhaseSpec.CALLS.contains(each.name()) && each.operations() > 0)
            .toList();
    List<PhaseResult> work =
        all.stream()
            .filter(each ->
                !each.operation().equals(Operation.INSERT.word())
                    && !each.operation().equals(Operation.LOAD.word()))
            .toList();
    return work.isEmpty() ? all : work;
  }
}
