package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.Distribution;
import org.jspecify.annotations.Nullable;

/**
 * A timed part of a trial.
 *
 * @param name unique in its experiment
 * @param operation what it does
 * @param operations how many in all, or 0 for as many as {@code seconds} allow, or, without those
 *     either, as there are records
 * @param seconds how long, or 0
 * @param threads how many work at once
 * @param shape what one operation consists of
 * @param distribution which keys
 * @param rate at which operations start, or {@code null} for each as soon as the one before has
 *     ended
 * @param cold whether the store is closed, dropped from all caches and opened again before
 * @param beside what other threads do meanwhile, for as long as this phase takes, or {@code null}
 */
public record PhaseSpec(
    String name,
    Operation operation,
    long operations,
    double seconds,
    int threads,
    Shape shape,
    Distribution distribution,
    @Nullable Rate rate,
    boolean cold,
    @Nullable PhaseSpec beside) {

  /** One thread, single operations on uniformly chosen keys, as many as there are records. */
  public static PhaseSpec of(String name, Operation operation) {
    return new PhaseSpec(
        name, operation, 0, 0, 1, Shape.SINGLE, new Distribution.Uniform(), null, false, null);
  }

  /** With another measure: operations, or seconds, or neither. */
  public PhaseSpec sized(long newOperations, double newSeconds) {
    return new PhaseSpec(
        name,
        operation,
        newOperations,
        newSeconds,
        threads,
        shape,
        distribution,
        rate,
        cold,
        beside);
  }

  /** With so many threads, if the operation can be shared among them. */
  public PhaseSpec withThreads(int newThreads) {
    int possible = operation.whole() ? 1 : newThreads;
    return new PhaseSpec(
        name, operation, operations, seconds, possible, shape, distribution, rate, cold, beside);
  }

  /** With operations of another shape. */
  public PhaseSpec withShape(Shape newShape) {
    return new PhaseSpec(
        name, operation, operations, seconds, threads, newShape, distribution, rate, cold, beside);
  }

  /** With so many entries in a batch. */
  public PhaseSpec withBatch(int batch) {
    return withShape(shape.withBatch(batch));
  }

  /** On other keys. */
  public PhaseSpec withDistribution(Distribution newDistribution) {
    return new PhaseSpec(
        name, operation, operations, seconds, threads, shape, newDistribution, rate, cold, beside);
  }

  /** At another rate, or at none. */
  public PhaseSpec withRate(@Nullable Rate newRate) {
    return new PhaseSpec(
        name, operation, operations, seconds, threads, shape, distribution, newRate, cold, beside);
  }

  /** Cold or not. */
  public PhaseSpec withCold(boolean newCold) {
    return new PhaseSpec(
        name, operation, operations, seconds, threads, shape, distribution, rate, newCold, beside);
  }

  /** With something else beside it, or nothing. */
  public PhaseSpec withBeside(@Nullable PhaseSpec other) {
    return new PhaseSpec(
        name, operation, operations, seconds, threads, shape, distribution, rate, cold, other);
  }

  /** Whether it, or what runs beside it, changes the store. */
  public boolean writes() {
    return operation.writes(shape) || (beside != null && beside.writes());
  }

  /** Whether it does that, alone or in its mix. */
  public boolean involves(Operation what) {
    return operation == what || shape.mix().containsKey(what);
  }
}
