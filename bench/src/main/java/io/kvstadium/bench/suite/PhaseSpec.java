package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.store.Durability;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A timed part of a trial.
 *
 * @param name unique in its experiment
 * @param operation what it does
 * @param operations how many in all, or 0 for as many as {@code seconds} allow or, if that is 0
 *     too, as there are records
 * @param seconds how long, or 0
 * @param threads how many work at once
 * @param shape what one operation consists of
 * @param distribution which keys
 * @param rate the rate at which operations start, or {@code null} to start each as soon as the
 *     previous one has ended
 * @param cold whether the store is closed, dropped from all caches and opened again before the
 *     phase
 * @param background the background load: what other threads do for the duration of this phase, or
 *     {@code null}
 * @param durability the level that the store is opened with for this phase, or {@code null} for the
 *     configuration's
 * @param replay what a {@link Operation#REPLAY} repeats; otherwise {@code null}
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
    @Nullable PhaseSpec background,
    @Nullable Durability durability,
    @Nullable Replay replay) {
  /** The names of phases that are one call of the engine, and no work. */
  public static final List<String> CALLS = List.of("create", "open", "close");

  /**
   * Makes a phase of one thread and single operations on uniformly chosen keys, as many as there
   * are records.
   */
  public static PhaseSpec of(String name, Operation operation) {
    return new PhaseSpec(
        name,
        operation,
        0,
        0,
        1,
        Shape.SINGLE,
        new Distribution.Uniform(),
        null,
        false,
        null,
        null,
        null);
  }

  /** Returns a copy with the given length: operations, or seconds, or neither. */
  public PhaseSpec sized(long newOperations, double newSeconds) {
    return with(copy -> {
      copy.operations = newOperations;
      copy.seconds = newSeconds;
    });
  }

  /** Returns a copy with the given number of threads, if the operation can be split among them. */
  public PhaseSpec withThreads(int newThreads) {
    return with(
        copy -> copy.threads = replay != null ? threads : operation.whole() ? 1 : newThreads);
  }

  /** Returns a copy with operations of the given shape. */
  public PhaseSpec withShape(Shape newShape) {
    return with(copy -> copy.shape = newShape);
  }

  /** Returns a copy with the given number of entries per batch. */
  public PhaseSpec withBatch(int batch) {
    return withShape(shape.withBatch(batch));
  }

  /** Returns a copy with the given rate, or none. */
  public PhaseSpec withRate(@Nullable Rate newRate) {
    return with(copy -> copy.rate = newRate);
  }

  /** Returns a copy that is cold or not. */
  public PhaseSpec withCold(boolean newCold) {
    return with(copy -> copy.cold = newCold);
  }

  /** Returns a copy with the given background load, or none. */
  public PhaseSpec withBackground(@Nullable PhaseSpec other) {
    return with(copy -> copy.background = other);
  }

  /** Returns a copy at a durability of its own, or at its configuration's. */
  public PhaseSpec withDurability(@Nullable Durability level) {
    return with(copy -> copy.durability = level);
  }

  /** Returns a copy that repeats this. */
  public PhaseSpec withReplay(Replay other) {
    return with(copy -> copy.replay = other);
  }

  /** Returns a copy with the text after its name. */
  PhaseSpec suffixed(String text) {
    return with(copy -> copy.name = name + text);
  }

  /** Returns a changed copy. */
  PhaseSpec with(Consumer<Copy> changes) {
    Copy copy = new Copy(this);
    changes.accept(copy);
    return copy.made();
  }

  /** Whether it, or its background load, changes the store. */
  public boolean writes() {
    return operation.writes(shape) || (background != null && background.writes());
  }

  /** Whether it begins with a new store: a bulk load, and a load at a level of its own. */
  public boolean startsAnew() {
    return operation == Operation.LOAD || (operation == Operation.INSERT && durability != null);
  }

  /** Whether it performs this operation, on its own or in its mix. */
  public boolean involves(Operation what) {
    return operation == what || shape.mix().containsKey(what);
  }

  /** A copy in the making. */
  static final class Copy {
    String name;
    final Operation operation;
    long operations;
    double seconds;
    int threads;
    Shape shape;
    Distribution distribution;
    @Nullable Rate rate;
    boolean cold;
    @Nullable PhaseSpec background;
    @Nullable Durability durability;
    @Nullable Replay replay;

    private Copy(PhaseSpec of) {
      name = of.name;
      operation = of.operation;
      operations = of.operations;
      seconds = of.seconds;
      threads = of.threads;
      shape = of.shape;
      distribution = of.distribution;
      rate = of.rate;
      cold = of.cold;
      background = of.background;
      durability = of.durability;
      replay = of.replay;
    }

    private PhaseSpec made() {
      return new PhaseSpec(
          name,
          operation,
          operations,
          seconds,
          threads,
          shape,
          distribution,
          rate,
          cold,
          background,
          durability,
          replay);
    }
  }
}
