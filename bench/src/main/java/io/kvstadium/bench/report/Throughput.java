package io.kvstadium.bench.report;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A phase's throughput over time, in the trial in the middle of the order of speeds.
 *
 * @param trial its number
 * @param seconds how long an interval is
 * @param rates operations per second in each interval; NaN where nothing was at work
 * @param collections numbers of the intervals, from 0, with garbage collections
 * @param compactions numbers of the intervals with compactions, flushes or cleanings
 * @param tells whether the engine says when it compacts
 */
public record Throughput(
    int trial,
    double seconds,
    List<Double> rates,
    List<Integer> collections,
    List<Integer> compactions,
    boolean tells) {
  /** More intervals than this are drawn two or more together. */
  private static final int MOST = 100;

  /** What is said of it in a table. */
  static final List<Column<Throughput>> COLUMNS =
      List.of(
          Column.of("first quarter", own -> own.quarter(0)),
          Column.of("last quarter", own -> own.quarter(3)),
          Column.of("least", own -> rate(Arrays.stream(own.known()).min().orElse(Double.NaN))),
          Column.of("most", own -> rate(Arrays.stream(own.known()).max().orElse(Double.NaN))),
          Column.of("with GC", own -> own.collections.size() + " of " + own.rates.size()),
          Column.of(
              "compacting",
              own ->
                  own.tells ? own.compactions.size() + " of " + own.rates.size() : "not reported"));

  private static String rate(double perSecond) {
    return Double.isNaN(perSecond) ? Table.MISSING : Units.rate(perSecond);
  }

  private double[] known() {
    return rates.stream().mapToDouble(each -> each).filter(rate -> !Double.isNaN(rate)).toArray();
  }

  /** The mean over the first or the last quarter of it. */
  private String quarter(int number) {
    double[] known = known();
    int length = Math.max(1, known.length / 4);
    int from = number == 0 ? 0 : known.length - length;
    return rate(
        known.length == 0
            ? Double.NaN
            : Arrays.stream(known, from, from + length).average().orElse(Double.NaN));
  }

  public Throughput {
    rates = List.copyOf(rates);
    collections = List.copyOf(collections);
    compactions = List.copyOf(compactions);
  }

  /** {@code null} if the phase has no course, or one of fewer than two intervals. */
  static @Nullable Throughput of(Trials trials) {
    int number = trials.typical();
    Trials.Figure figure = trials.byNumber().get(number);
    return figure == null ? null : of(number, figure.phase());
  }

  private static @Nullable Throughput of(int trial, PhaseResult phase) {
    Timeline timeline = phase.timeline();
    if (timeline == null || whole(timeline) < 2) {
      return null;
    }
    int together = (whole(timeline) + MOST - 1) / MOST;
    List<Double> rates = new ArrayList<>();
    List<Integer> collections = new ArrayList<>();
    List<Integer> compactions = new ArrayList<>();
    for (int from = 0; from + together <= whole(timeline); from += together) {
      int to = from + together;
      rates.add(rate(phase, timeline, from, to));
      if (timeline.gcNanos().subList(from, to).stream().anyMatch(nanos -> nanos > 0)) {
        collections.add(from / together);
      }
      if (timeline.compactions().subList(from, to).stream().anyMatch(jobs -> jobs > 0)) {
        compactions.add(from / together);
      }
    }
    return new Throughput(
        trial,
        timeline.intervalNanos() * together / 1e9,
        rates,
        collections,
        compactions,
        timeline.compactions().stream().anyMatch(jobs -> jobs >= 0));
  }

  /** The rates of each trial's intervals, for what looks at their course. */
  static List<double[]> series(Trials trials) {
    List<double[]> series = new ArrayList<>();
    for (PhaseResult phase : trials.phases()) {
      Timeline timeline = phase.timeline();
      if (timeline != null) {
        double[] rates = new double[whole(timeline)];
        int count = 0;
        for (int i = 0; i < rates.length; i++) {
          double rate = rate(phase, timeline, i, i + 1);
          if (!Double.isNaN(rate)) {
            rates[count++] = rate;
          }
        }
        series.add(Arrays.copyOf(rates, count));
      }
    }
    return series;
  }

  /** The intervals without the last one, which the end of the phase cut short. */
  private static int whole(Timeline timeline) {
    return Math.max(0, timeline.operations().size() - 1);
  }

  private static double rate(PhaseResult phase, Timeline timeline, int from, int to) {
    long operations =
        timeline.operations().subList(from, to).stream().mapToLong(Long::longValue).sum();
    if (phase.pace() != null) {
      // between its operations a paced thread waits, and that is part of the rate
      return operations * 1e9 / (timeline.intervalNanos() * (to - from));
    }
    long busy = timeline.busyNanos().subList(from, to).stream().mapToLong(Long::longValue).sum();
    return busy <= 0 ? Double.NaN : operations * 1e9 * phase.threads() / busy;
  }
}
