package io.kvstadium.bench.result;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A timed part of a trial. {@code open} and {@code close} are phases of one operation.
 *
 * @param name such as {@code read}
 * @param operation the name of what it did, as in suite files: {@code get}, {@code insert} …
 * @param operations the number that succeeded and were timed (a scan of 100 entries is one
 *     operation)
 * @param nanos elapsed time of the timed parts of the phase, without making data
 * @param threads the number that worked at once
 * @param entries the total number read or written
 * @param bytes of keys and values read or written
 * @param batch how many operations were timed together: 1 if each had its own latency
 * @param cost what else it used
 * @param histogram service times in nanoseconds, from the start of an operation to its end (of
 *     batches, if {@code batch} is above 1), as HdrHistogram's compressed form in Base64, or {@code
 *     null} for phases of one operation
 * @param openLoop how it kept its rate if operations started at a fixed one; otherwise {@code null}
 * @param timeline throughput over time, or {@code null} if the phase was one call
 * @param divergence how its results differ from those of a recording that it replays; otherwise
 *     {@code null}
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
    @Nullable OpenLoop openLoop,
    @Nullable Timeline timeline,
    @Nullable Divergence divergence) {
  /** The names of phases that are one call of the engine, and no work. */
  public static final Set<String> CALLS = Set.of("create", "open", "close");

  /** Makes a phase of one thread and one entry per operation, with nothing else known. */
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

  /** One of the {@link #CALLS}. */
  public static PhaseResult once(String name, long nanos) {
    return of(name, name, 1, Math.max(1, nanos));
  }

  /** Returns a copy with what happened around it. */
  public PhaseResult with(@Nullable OpenLoop newOpenLoop, @Nullable Timeline newTimeline) {
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
        newOpenLoop,
        newTimeline,
        divergence);
  }

  /** Returns a copy with the flushes of the device. */
  public PhaseResult withFlushes(long flushes) {
    return new PhaseResult(
        name,
        operation,
        operations,
        nanos,
        threads,
        entries,
        bytes,
        batch,
        cost.withFlushes(flushes),
        histogram,
        openLoop,
        timeline,
        divergence);
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
