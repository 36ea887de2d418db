package io.kvstadium.bench.result;

import java.util.List;

/**
 * Throughput over time, in equal intervals of the time since the phase began. The lists are equally
 * long.
 *
 * @param intervalNanos how long an interval is
 * @param operations that ended in each
 * @param busyNanos how long the threads together were in timed parts in each, so that {@code
 *     operations / busyNanos × threads} is the rate
 * @param gcNanos time of garbage collections in each
 * @param compactions the most background jobs (compactions, flushes, cleanings) that the engine
 *     said to run or to wait in each; -1 where it does not say, and before the first look
 */
public record Timeline(
    long intervalNanos,
    List<Long> operations,
    List<Long> busyNanos,
    List<Long> gcNanos,
    List<Integer> compactions) {
  public Timeline {
    operations = List.copyOf(operations);
    busyNanos = List.copyOf(busyNanos);
    gcNanos = List.copyOf(gcNanos);
    compactions = List.copyOf(compactions);
  }
}
