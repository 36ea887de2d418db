package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A phase's throughput over time, in the trial of median speed.
 *
 * @param seconds how long an interval is
 * @param rates operations per second in each interval; NaN where nothing was running
 * @param collections numbers of the intervals, from 0, with garbage collections
 * @param compactions numbers of the intervals with compactions, flushes or cleanings
 */
public record Throughput(
    double seconds, List<Double> rates, List<Integer> collections, List<Integer> compactions) {
  /** If there are more intervals than this, two or more are drawn as one. */
  private static final int MAX_INTERVALS = 100;

  private static final double NONE = Double.NaN;

  /**
   * The throughput, or {@code null} if the phase has no timeline or one of fewer than two
   * intervals.
   */
  public static @Nullable Throughput of(Trials trials) {
    PhaseResult phase = trials.byNumber().get(trials.medianTrial());
    Timeline timeline = phase == null ? null : phase.timeline();
    if (phase == null || timeline == null || timeline.whole() < 2) {
      return null;
    }
    int together = (timeline.whole() + MAX_INTERVALS - 1) / MAX_INTERVALS;
    List<Double> rates = new ArrayList<>();
    List<Integer> collections = new ArrayList<>();
    List<Integer> compactions = new ArrayList<>();
    for (int from = 0; from + together <= timeline.whole(); from += together) {
      int to = from + together;
      rates.add(rate(phase, timeline, from, to));
      if (timeline.gcNanos().subList(from, to).stream().anyMatch(nanos -> nanos > 0)) {
        collections.add(from / together);
      }
      if (timeline.compactions().subList(from, to).stream().anyMatch(jobs -> jobs > 0)) {
        compactions.add(from / together);
      }
    }
    double seconds = timeline.intervalNanos() * together / 1e9;
    return new Throughput(seconds, rates, collections, compactions);
  }

  /** The rates of each trial's intervals, for judging their trend. */
  public static List<double[]> series(Trials trials) {
    List<double[]> series = new ArrayList<>();
    for (PhaseResult phase : trials.phases()) {
      Timeline timeline = phase.timeline();
      if (timeline != null) {
        series.add(
            IntStream.range(0, timeline.whole())
                .mapToDouble(i -> rate(phase, timeline, i, i + 1))
                .filter(rate -> !Double.isNaN(rate))
                .toArray());
      }
    }
    return series;
  }

  /**
   * How much faster the last third of a phase was than all of it: the median over the trials; NaN
   * if it is not known.
   */
  static double endFactor(Trials trials) {
    return Samples.median(
        series(trials).stream()
            .filter(rates -> rates.length >= 3)
            .mapToDouble(rates -> {
              double[] end = Arrays.copyOfRange(rates, rates.length * 2 / 3, rates.length);
              return mean(end) / mean(rates);
            }));
  }

  private static double mean(double[] rates) {
    return Arrays.stream(rates).average().orElse(NONE);
  }

  private static double rate(PhaseResult phase, Timeline timeline, int from, int to) {
    long operations = sum(timeline.operations().subList(from, to));
    if (phase.openLoop() != null) {
      // a rate-limited thread waits between its operations, which is part of the rate
      return operations * 1e9 / (timeline.intervalNanos() * (to - from));
    }
    long busy = sum(timeline.busyNanos().subList(from, to));
    return busy <= 0 ? NONE : operations * 1e9 * phase.threads() / busy;
  }

  private static long sum(List<Long> figures) {
    return figures.stream().mapToLong(Long::longValue).sum();
  }
}
