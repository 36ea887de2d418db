package io.kvstadium.bench.result;

import java.util.List;

/**
 * Throughput over time, in equal intervals of the time since the phase began. The lists are equally
 * long.
 *
 * @param intervalNanos how long an interval is
 * @param operations the number that ended in each
 * @param busyNanos how long all threads together spent in timed parts in each, so that {@code
 *     operations / busyNanos × threads} is the rate
 * @param gcNanos garbage collection time in each
 * @param compactions the most background jobs (compactions, flushes, cleanings) that the engine
 *     reported as running or waiting in each; -1 where it does not report any, and before the first
 *     look
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
