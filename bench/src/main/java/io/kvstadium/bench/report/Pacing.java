package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a configuration did in a phase whose operations start at a fixed rate. Rates and times are
 * medians over its trials.
 *
 * @param wanted operations per second that were to start; in a search, the highest that held
 * @param achieved operations per second
 * @param arrivals {@code constant} or {@code poisson}
 * @param held in how many trials the store kept up and within the limit
 * @param trials how many there are
 * @param limit such as {@code p99 < 2ms}, or {@code null}
 * @param response times from the intended start of operations, of all trials together
 * @param latenessNanos the median of the pacer's own lateness, NaN if unknown
 * @param tries of a search, of the trial in the middle; otherwise empty
 */
public record Pacing(
    double wanted,
    double achieved,
    String arrivals,
    int held,
    int trials,
    @Nullable String limit,
    @Nullable Latencies response,
    double latenessNanos,
    List<Pace.Try> tries) {
  /** Above this share of the median response time the pacer's lateness is pointed out. */
  private static final double LATE_SHARE = 0.05;

  /**
   * Up to this it is not, whatever its share: it is then little more than reading the clock takes,
   * and matters only beside responses so short that no caller could tell them apart.
   */
  private static final double LATE_NANOS = 1_000;

  /** What is said of it in a table. */
  static final List<Column<Pacing>> COLUMNS =
      List.of(
          Column.of("wanted", own -> Units.rate(own.wanted())),
          Column.of("achieved", own -> Units.rate(own.achieved())),
          Column.of(
              "kept up",
              own ->
                  own.heldAlways()
                      ? "held"
                      : own.held() == 0
                          ? "not held"
                          : "held in " + own.held() + " of " + own.trials()),
          Column.of(
              "pacer's own lateness, median",
              own -> CostColumns.time(own.latenessNanos()) + (own.late() ? ", pacer late" : "")));

  public Pacing {
    tries = List.copyOf(tries);
  }

  /** {@code null} if the phase is a closed loop. */
  static @Nullable Pacing of(Trials trials) {
    List<Pace> paces = new ArrayList<>();
    for (PhaseResult phase : trials.phases()) {
      if (phase.pace() != null) {
        paces.add(phase.pace());
      }
    }
    if (paces.isEmpty()) {
      return null;
    }
    Pace first = paces.getFirst();
    Trials.Figure typical = trials.byNumber().get(trials.typical());
    Pace shown = typical == null ? null : typical.phase().pace();
    Latencies lateness = merged(paces.stream().map(Pace::lateness).toList());
    Long late = lateness == null ? null : lateness.at(0.5);
    return new Pacing(
        Median.ofKnown(paces.stream().mapToDouble(Pace::rate)),
        Median.ofKnown(trials.phases().stream().mapToDouble(PhaseResult::rate)),
        first.arrivals(),
        (int) paces.stream().filter(Pace::held).count(),
        paces.size(),
        first.limit(),
        merged(paces.stream().map(Pace::response).toList()),
        late == null ? Double.NaN : late,
        shown == null ? List.of() : shown.tries());
  }

  private static @Nullable Latencies merged(List<@Nullable String> histograms) {
    List<String> known = histograms.stream().filter(Objects::nonNull).toList();
    return known.isEmpty() ? null : Latencies.merge(known, 1);
  }

  /** Whether every trial held. */
  public boolean heldAlways() {
    return held == trials;
  }

  /** The pacer's lateness as a share of the median response time; 0 if unknown. */
  public double lateShare() {
    Long median = response == null ? null : response.at(0.5);
    return median == null || Double.isNaN(latenessNanos) ? 0 : latenessNanos / Math.max(1, median);
  }

  /** Whether the pacer itself was so late that it shows in the response times. */
  public boolean late() {
    return latenessNanos > LATE_NANOS && lateShare() > LATE_SHARE;
  }
}
