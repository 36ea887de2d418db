package io.kvstadium.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * A timed part of a trial. {@code open} and {@code close} are phases of one operation.
 *
 * @param name such as {@code read}
 * @param operations that succeeded and were timed (a scan of 100 entries is one operation)
 * @param nanos elapsed time of the phase
 * @param threads that worked at once
 * @param bytes of keys and values that were moved
 * @param misses reads of keys that should have been there and were not; a trial with any has failed
 * @param errors operations that threw
 * @param cpuNanos processor time of the whole process during the phase, or -1
 * @param gcNanos time of garbage collections during the phase
 * @param batch how many operations were timed together: 1 if each had a latency of its own
 * @param histogram latencies in nanoseconds (of batches, if {@code batch} is above 1), as
 *     HdrHistogram's compressed form in Base64, or {@code null} for phases of one operation
 */
public record PhaseResult(
    String name,
    long operations,
    long nanos,
    int threads,
    long bytes,
    long misses,
    long errors,
    long cpuNanos,
    long gcNanos,
    int batch,
    @Nullable String histogram) {
  /** Operations per second. */
  public double rate() {
    return operations * 1e9 / nanos;
  }

  /** Elapsed nanoseconds per operation. */
  public double nanosPerOperation() {
    return (double) nanos / operations;
  }
}
