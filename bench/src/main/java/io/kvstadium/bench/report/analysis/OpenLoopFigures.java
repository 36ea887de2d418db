package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.Samples.Times;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a configuration performed in a phase whose operations start at a fixed rate. Rates and times
 * are medians over its trials.
 *
 * @param wanted operations per second that should start; in a search, the highest rate that held
 * @param achieved operations per second
 * @param held in how many trials the store kept up and stayed within the limit
 * @param trials the number of trials
 * @param limit such as {@code p99 < 2ms}, or {@code null}
 * @param response times from the intended start of operations, of all trials together
 * @param latenessNanos the median of the rate limiter's own lateness, NaN if unknown
 * @param tries the rates tried in a search, from the median trial; otherwise empty
 */
public record OpenLoopFigures(
    double wanted,
    double achieved,
    int held,
    int trials,
    Rate.@Nullable Limit limit,
    @Nullable Latencies response,
    double latenessNanos,
    List<OpenLoop.Try> tries) {
  /** Above this share of the median response time the rate limiter's lateness is pointed out. */
  private static final double LATE_SHARE = 0.05;

  /**
   * Lateness up to this is not pointed out, regardless of its share: it is little more than a clock
   * read, and matters only for responses so short that no caller would notice.
   */
  private static final double LATE_NANOS = 1_000;

  /** {@code null} if the phase is a closed loop. */
  public static @Nullable OpenLoopFigures of(Trials trials, Samples samples) {
    List<OpenLoop> openLoops = trials.each(PhaseResult::openLoop);
    if (openLoops.isEmpty()) {
      return null;
    }
    PhaseResult median = trials.byNumber().get(trials.medianTrial());
    OpenLoop shown = median == null ? null : median.openLoop();
    return new OpenLoopFigures(
        Figures.ASKED_RATE.of(samples),
        Figures.RATE.of(samples),
        (int) openLoops.stream().filter(OpenLoop::held).count(),
        openLoops.size(),
        openLoops.getFirst().limit(),
        samples.latencies(Times.RESPONSE),
        Figures.named("lateness_p50").of(samples),
        shown == null ? List.of() : shown.tries());
  }

  /** Whether every trial held. */
  public boolean heldAlways() {
    return held == trials;
  }

  /** The rate limiter's lateness as a share of the median response time; 0 if unknown. */
  public double lateShare() {
    Long median = response == null ? null : response.at(0.5);
    return median == null || Double.isNaN(latenessNanos) ? 0 : latenessNanos / Math.max(1, median);
  }

  /** Whether the rate limiter itself was so late that it shows in the response times. */
  public boolean late() {
    return latenessNanos > LATE_NANOS && lateShare() > LATE_SHARE;
  }
}
