package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.text.Units;
import java.util.List;
import java.util.Objects;

/**
 * The figure by which the configurations of a phase are compared. At a fixed rate, all that keep up
 * have the same rate, so their response times are compared.
 *
 * @param words such as {@code rate} or {@code p99 of the response time at 5.00 k/s}
 */
public record Measure(String words, Figure figure) {
  /** Operations per second. */
  public static final Measure RATE = new Measure("rate", Figures.RATE);

  private static final Measure TIME = new Measure("time", Figures.NANOS_PER_OPERATION);

  /** Whether it needs no words: the rate, or the time of one operation. */
  public boolean isUsual() {
    return equals(RATE) || equals(TIME);
  }

  /** The measure by which all trials of all configurations of one phase can be compared. */
  public static Measure of(List<PhaseResult> phases) {
    List<OpenLoop> openLoops =
        phases.stream().map(PhaseResult::openLoop).filter(Objects::nonNull).toList();
    if (openLoops.isEmpty() || openLoops.size() < phases.size()) {
      boolean single = phases.stream().allMatch(each -> each.operations() == 1);
      return single && !phases.isEmpty() ? TIME : RATE;
    }
    OpenLoop any = openLoops.getLast();
    Rate.Limit limit = any.limit();
    if (!any.tries().isEmpty()) {
      String words = "the highest rate with " + (limit == null ? "no limit" : limit);
      return new Measure(words, Figures.ASKED_RATE);
    }
    // the limit's own percentile, or p99, if every trial has enough samples for it; otherwise p50
    double wanted = limit == null ? 0.99 : limit.level();
    boolean carried =
        phases.stream().allMatch(phase -> Latencies.carried(wanted, phase.operations()));
    double level = carried ? wanted : 0.5;
    String words =
        Units.level(level) + " of the response time at " + Units.rate(any.rate()) + " wanted";
    return new Measure(words, Figures.response(level));
  }

  /** Of one trial's phase, higher is better; 0 if it has none. */
  public double speed(PhaseResult phase) {
    double value = figure.of(Samples.of(List.of(phase)));
    return value > 0 ? figure.speed(value) : 0;
  }
}
