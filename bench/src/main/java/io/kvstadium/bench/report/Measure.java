package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Rate;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * By what the configurations of a phase are compared. At a fixed rate, all that keep up are equally
 * fast by their rate, so that their response times are compared.
 *
 * @param words such as {@code rate} or {@code p99 of the response time at 5.00 k/s}
 * @param time whether a figure is written as a time, the reciprocal of its speed
 * @param speed of one trial's phase, more being better; not positive if it has none
 */
record Measure(String words, boolean time, ToDoubleFunction<PhaseResult> speed) {
  /** Operations per second. */
  static final Measure RATE = new Measure("rate", false, PhaseResult::rate);

  private static final Measure TIME = new Measure("time", true, PhaseResult::rate);

  private static final double USUAL_LEVEL = 0.99;

  /** What all trials of all configurations of one phase can be compared by. */
  static Measure of(List<PhaseResult> phases) {
    Pace any = null;
    for (PhaseResult phase : phases) {
      if (phase.pace() == null) {
        return phases.stream().allMatch(each -> each.operations() == 1) ? TIME : RATE;
      }
      any = phase.pace();
    }
    if (any == null) {
      return RATE;
    }
    if (!any.tries().isEmpty()) {
      String words = "the highest rate with " + (any.limit() == null ? "no limit" : any.limit());
      return new Measure(words, false, phase -> phase.pace() == null ? 0 : phase.pace().rate());
    }
    double level = level(any.limit(), phases);
    String words =
        Units.level(level) + " of the response time at " + Units.rate(any.rate()) + " wanted";
    return new Measure(words, true, phase -> speed(phase, level));
  }

  /** The limit's own percentile, or p99, as far as every trial's samples carry it; else p50. */
  private static double level(@Nullable String limit, List<PhaseResult> phases) {
    double level = limit == null ? USUAL_LEVEL : Rate.Limit.parse(limit).level();
    boolean carried =
        phases.stream().allMatch(phase -> Latencies.carried(level, phase.operations()));
    return carried ? level : 0.5;
  }

  private static double speed(PhaseResult phase, double level) {
    String response = phase.pace() == null ? null : phase.pace().response();
    return response == null ? 0 : 1e9 / Math.max(1, Latencies.percentile(response, level));
  }
}
