package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One configuration's result in one phase.
 *
 * @param style how it is drawn in charts and tables
 * @param rate operations per second over the trials (geometric mean); where times are compared,
 *     their reciprocal
 * @param factor how many times slower than the fastest; NaN if it is not compared
 * @param verdict against the fastest; {@code null} for that one, and if it is not compared
 * @param samples what other figures of all its trials are extracted from
 * @param openLoop how it kept up with the phase's rate, or {@code null} in a closed loop
 * @param throughput over time, or {@code null} if it was not recorded
 * @param warnings what to know about the figure
 */
public record Standing(
    Trials trials,
    SeriesStyle style,
    Estimate rate,
    double factor,
    @Nullable Verdict verdict,
    Samples samples,
    @Nullable OpenLoopFigures openLoop,
    @Nullable Throughput throughput,
    List<Warning.Found> warnings)
    implements Ranking.Place {
  @Override
  public String configuration() {
    return trials.configuration().name();
  }

  /** The rate, or the time that is its reciprocal. */
  @Override
  public FigureEstimate figure() {
    return FigureEstimate.of(rate, trials.measure().figure());
  }

  @Override
  public String text() {
    return figure().text();
  }

  /** Whether it is at the level that was asked for, so that it is compared. */
  public boolean compared() {
    return !Double.isNaN(factor);
  }
}
