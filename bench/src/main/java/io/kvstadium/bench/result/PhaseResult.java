package io.kvstadium.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * A timed part of a trial. {@code open} and {@code close} are phases of one operation.
 *
 * @param name such as {@code read}
 * @param operation the word for what it did, as in suite files: {@code get}, {@code insert} …
 * @param operations that succeeded and were timed (a scan of 100 entries is one operation)
 * @param nanos elapsed time of the phase; of its timed parts, without the making of data
 * @param threads that worked at once
 * @param entries that were read or written in all
 * @param bytes of keys and values that were moved
 * @param batch how many operations were timed together: 1 if each had a latency of its own
 * @param cost what else it used up
 * @param histogram service times in nanoseconds, from the start of an operation to its end (of
 *     batches, if {@code batch} is above 1), as HdrHistogram's compressed form in Base64, or {@code
 *     null} for phases of one operation
 * @param pace if operations started at a fixed rate; otherwise {@code null}
 * @param timeline throughput over time, or {@code null} if the phase was one call
 * @param caches what had been done about cached files before the phase, or {@code null} if nothing
 */
public record PhaseResult(
    String name,
    String operation,
    long operations,
    long nanos,
    int threads,
    long entries,
    long bytes,
    int batch,
    Cost cost,
    @Nullable String histogram,
    @Nullable Pace pace,
    @Nullable Timeline timeline,
    @Nullable Caches caches) {
  /** What workers add to the name of a phase that opens the store, for one process per open. */
  public static final String FRESH = ", fresh process";

  /** One thread, each operation with one entry, without errors, and nothing else known. */
  public static PhaseResult of(String name, String operation, long operations, long nanos) {
    return new PhaseResult(
        name,
        operation,
        operations,
        nanos,
        1,
        operations,
        0,
        1,
        Cost.UNKNOWN,
        null,
        null,
        null,
        null);
  }

  /** With latencies. */
  public PhaseResult withHistogram(@Nullable String newHistogram, int newBatch) {
    return new PhaseResult(
        name,
        operation,
        operations,
        nanos,
        threads,
        entries,
        bytes,
        newBatch,
        cost,
        newHistogram,
        pace,
        timeline,
        caches);
  }

  /** With what happened around it. */
  public PhaseResult with(
      @Nullable Pace newPace, @Nullable Timeline newTimeline, @Nullable Caches newCaches) {
    return new PhaseResult(
        name,
        operation,
        operations,
        nanos,
        threads,
        entries,
        bytes,
        batch,
        cost,
        histogram,
        newPace,
        newTimeline,
        newCaches);
  }

  /** With the number of threads, entries and bytes, and what it cost. */
  public PhaseResult with(int newThreads, long newEntries, long newBytes, Cost newCost) {
    return new PhaseResult(
        name,
        operation,
        operations,
        nanos,
        newThreads,
        newEntries,
        newBytes,
        batch,
        newCost,
        histogram,
        pace,
        timeline,
        caches);
  }

  /** Operations per second. */
  public double rate() {
    return operations * 1e9 / nanos;
  }

  /** Elapsed nanoseconds per operation. */
  public double nanosPerOperation() {
    return (double) nanos / operations;
  }
}
