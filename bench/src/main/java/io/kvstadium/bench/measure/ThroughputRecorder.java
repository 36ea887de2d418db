package io.kvstadium.bench.measure;

import io.kvstadium.bench.result.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Throughput over time as one thread of a phase sees it: intervals that grow with the phase, so
 * that there are never more than a few hundred.
 */
public final class ThroughputRecorder {
  /** Shortest interval: a load of some ten milliseconds has several. */
  static final long FIRST_INTERVAL = 12_500_000;

  /** Shortest interval of a phase that has more than 48 of the shortest. */
  private static final long LONG_INTERVAL = 4 * FIRST_INTERVAL;

  private static final int MAX = 512;

  private long origin;
  private final long[] operations = new long[MAX];
  private final long[] busy = new long[MAX];
  private long interval = FIRST_INTERVAL;
  private int last = -1;

  /**
   * @param origin when the phase began, on the clock of {@link System#nanoTime}
   */
  public ThroughputRecorder(long origin) {
    this.origin = origin;
  }

  /** Nothing was done for so long: it is no part of the time. */
  void paused(long nanos) {
    origin += nanos;
  }

  /**
   * Records operations that have ended.
   *
   * @param at when, on the clock of {@link System#nanoTime}
   * @param busyNanos how long they took
   */
  public void add(long at, long count, long busyNanos) {
    long number = Math.max(0, at - origin) / interval;
    while (number >= MAX) {
      fold(operations);
      fold(busy);
      interval *= 2;
      last /= 2;
      number /= 2;
    }
    operations[(int) number] += count;
    busy[(int) number] += busyNanos;
    last = Math.max(last, (int) number);
  }

  private static void fold(long[] figures) {
    for (int i = 0; i < MAX; i++) {
      figures[i] = i < MAX / 2 ? figures[2 * i] + figures[2 * i + 1] : 0;
    }
  }

  /**
   * Merges what all threads recorded, with what was observed meanwhile.
   *
   * @param observed or {@code null} if nothing was
   */
  static Timeline merge(List<ThroughputRecorder> recorders, @Nullable Observer observed) {
    long interval = FIRST_INTERVAL;
    long end = 0;
    for (ThroughputRecorder each : recorders) {
      interval = Math.max(interval, each.interval);
      end = Math.max(end, (each.last + 1) * each.interval);
    }
    if (end > 48 * FIRST_INTERVAL) {
      interval = Math.max(interval, LONG_INTERVAL);
    }
    int count = Math.toIntExact((end + interval - 1) / interval);
    long[] operations = new long[count];
    long[] busy = new long[count];
    for (ThroughputRecorder each : recorders) {
      int ratio = Math.toIntExact(interval / each.interval);
      for (int i = 0; i <= each.last; i++) {
        operations[i / ratio] += each.operations[i];
        busy[i / ratio] += each.busy[i];
      }
    }
    return new Timeline(
        interval,
        list(operations),
        list(busy),
        list(observed == null ? new long[count] : observed.gcNanos(interval, count)),
        observed == null ? Collections.nCopies(count, -1) : observed.compactions(interval, count));
  }

  private static List<Long> list(long[] figures) {
    List<Long> list = new ArrayList<>(figures.length);
    for (long figure : figures) {
      list.add(figure);
    }
    return list;
  }
}
