package io.kvstadium.bench.result;

import java.util.List;
import java.util.function.Consumer;
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
 * @param byOperation the latencies of each kind of operation where the phase has several; {@code
 *     null} where it has one, or where several share one reading of the clock
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
    @Nullable Divergence divergence,
    @Nullable List<OperationLatency> byOperation) {
  public PhaseResult {
    byOperation = byOperation == null ? null : List.copyOf(byOperation);
  }

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
        null,
        null);
  }

  /** One of the {@link io.kvstadium.bench.suite.PhaseSpec#CALLS}. */
  public static PhaseResult once(String name, long nanos) {
    return of(name, name, 1, Math.max(1, nanos));
  }

  /** Returns a copy with some of it changed. */
  public PhaseResult with(Consumer<Draft> changes) {
    Draft draft = new Draft(this);
    changes.accept(draft);
    return new PhaseResult(
        name,
        operation,
        operations,
        nanos,
        draft.threads,
        draft.entries,
        draft.bytes,
        draft.batch,
        draft.cost,
        draft.histogram,
        draft.openLoop,
        draft.timeline,
        draft.divergence,
        draft.byOperation);
  }

  /** Returns a copy with what happened around it. */
  public PhaseResult with(@Nullable OpenLoop openLoop, @Nullable Timeline timeline) {
    return with(draft -> {
      draft.openLoop = openLoop;
      draft.timeline = timeline;
    });
  }

  /** A copy in the making; see the components of the record. */
  public static final class Draft {
    public int threads;
    public long entries;
    public long bytes;
    public int batch;
    public Cost cost;
    public @Nullable String histogram;
    public @Nullable OpenLoop openLoop;
    public @Nullable Timeline timeline;
    public @Nullable Divergence divergence;
    public @Nullable List<OperationLatency> byOperation;

    private Draft(PhaseResult of) {
      threads = of.threads;
      entries = of.entries;
      bytes = of.bytes;
      batch = of.batch;
      cost = of.cost;
      histogram = of.histogram;
      openLoop = of.openLoop;
      timeline = of.timeline;
      divergence = of.divergence;
      byOperation = of.byOperation;
    }
  }

  /** Operations per second. */
  public double rate() {
    return operations * 1e9 / nanos;
  }

  /** Elapsed nanoseconds per operation. */
  public double nanosPerOperation() {
    return (double) nanos / operations;
  }

  /** The share of the phase, with making and checking data, in garbage collections, or -1. */
  public double gcShare() {
    return cost.gcNanos() < 0 ? -1 : (double) cost.gcNanos() / elapsed();
  }

  /** The same for the Java compiler's threads: more than 1 if several worked all the time. */
  public double compileShare() {
    return cost.compileNanos() < 0 ? -1 : (double) cost.compileNanos() / elapsed();
  }

  private long elapsed() {
    Long elapsed = cost.elapsedNanos();
    return Math.max(1, elapsed == null ? nanos : elapsed);
  }
}
