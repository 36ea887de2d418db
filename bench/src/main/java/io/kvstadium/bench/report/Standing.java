package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One configuration's result in one phase.
 *
 * @param key its look in charts and tables
 * @param rate operations per second over the trials; where the ranking compares times, their
 *     reciprocal
 * @param latencies service times of all its trials, or {@code null} if none were recorded
 * @param pacing how it kept up with the phase's rate, or {@code null} in a closed loop
 * @param throughput over time, or {@code null} if it was not recorded
 * @param warnings what to know about the figure
 */
record Standing(
    Trials trials,
    Key key,
    Estimate rate,
    double relative,
    int rank,
    @Nullable Verdict verdict,
    @Nullable Latencies latencies,
    @Nullable Pacing pacing,
    @Nullable Throughput throughput,
    List<Warning> warnings)
    implements Ranking.Place {

  /** Begins its row in a table. */
  Table.Row row() {
    return Table.Row.of(configuration(), key);
  }

  @Override
  public String configuration() {
    return trials.configuration().name();
  }

  /** The rate, or the time that is its reciprocal. */
  Figure figure() {
    return Figure.of(rate, trials.measure().time());
  }

  /** How far the interval reaches, or that there is none. */
  String spread() {
    return rate.interval() == null ? "n = 1" : Units.percent(rate.spread());
  }

  @Override
  public String text() {
    return figure().text();
  }

  @Override
  public String mark() {
    return ComparisonGroup.mark(trials.configuration());
  }

  @Override
  public List<String> notes(Ranking within) {
    double flushes = Costs.flushes(trials);
    return List.of(
        (rate.interval() == null ? "" : "± ") + spread(),
        verdict == null ? within.words(this) : Units.percent(relative) + " of best",
        Double.isNaN(flushes) ? "" : Units.ratio(flushes) + " flushes/op");
  }

  /**
   * The latencies that matter to a caller: from the intended start if operations start at a fixed
   * rate, otherwise service times. {@code null} if none were recorded.
   */
  @Nullable Latencies callerLatencies() {
    return pacing != null ? pacing.response() : latencies;
  }
}
