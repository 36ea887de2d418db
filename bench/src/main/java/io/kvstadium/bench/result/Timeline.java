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

  /** The number of intervals without the last one, which the end of the phase cut short. */
  public int whole() {
    return Math.max(0, operations.size() - 1);
  }

  /**
   * The share of the time that threads without a rate were in the store, and not making or checking
   * data; -1 if it is not known.
   */
  double busyShare(int threads) {
    int from = 0;
    int end = whole();
    while (from < end && operations.get(from) == 0) {
      from++; // the threads were not there yet
    }
    double elapsed = (double) intervalNanos * (end - from) * threads;
    double busy = busyNanos.subList(from, end).stream().mapToLong(Long::longValue).sum();
    return elapsed > 0 ? Math.min(1, busy / elapsed) : -1;
  }
}
