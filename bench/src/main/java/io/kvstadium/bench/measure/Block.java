package io.kvstadium.bench.measure;

import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.operation.Slots;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.operation.TimedOperation;
import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/**
 * A few hundred operations: made untimed, run timed, checked untimed.
 *
 * <p>The timed part reads the clock once per chunk. By then, everything that it needs is in arrays;
 * what it reads is only kept.
 */
final class Block {
  /**
   * Operations of a block: enough to make the block's own cost negligible, few enough for the
   * caches.
   */
  static final int CAPACITY = 512;

  /** The same for one of several threads, which wait for each other before each. */
  static final int LARGE_CAPACITY = 16 * CAPACITY;

  private final Slots slots;
  private final int together;
  private final boolean atomic;
  private final TimedOperation operation;
  private final long[] latencies;
  private int size;

  /** The first one of those that ran last, and the next one. */
  private int from;

  private int next;

  private int chunks;
  private long began;
  private long ended;

  /**
   * @param operations the kinds that there can be
   * @param together how many are timed together
   * @param atomic whether these form one atomic batch
   */
  Block(Slots slots, Collection<Operation> operations, int together, boolean atomic) {
    this.slots = slots;
    this.together = together;
    this.atomic = atomic;
    this.operation = TimedOperation.of(operations, slots);
    this.latencies = new long[slots.capacity()];
  }

  /** Makes the next operations, fewer if the source has fewer; returns how many. */
  int fill(int count, OperationSource source) {
    size = 0;
    from = 0;
    next = 0;
    while (size < count && source.hasNext()) {
      operation.prepare(size, source);
      size++;
    }
    return size;
  }

  /**
   * Runs the operations, or what is left of them.
   *
   * @param deadline stops after the chunk that passes this time, on the clock of {@link
   *     System#nanoTime}
   * @param stop whether to stop after a chunk
   * @return whether it ran to its end, and the time is not up
   */
  boolean run(Target target, long deadline, BooleanSupplier stop) {
    int k = next;
    boolean more = true;
    int c = 0;
    long begin = System.nanoTime();
    long before = begin;
    while (k < size && more) {
      int end = Math.min(k + together, size);
      if (atomic) {
        target.write(
            Arrays.asList(slots.keys).subList(k, end), Arrays.asList(slots.values).subList(k, end));
      } else if (end - k == 1) {
        operation.run(target, k);
      } else {
        operation.run(target, k, end);
      }
      k = end;
      long now = System.nanoTime();
      latencies[c++] = now - before;
      before = now;
      more = now - deadline <= 0 && !stop.getAsBoolean();
    }
    from = next;
    next = k;
    chunks = c;
    began = begin;
    ended = before;
    return more;
  }

  /** Checks what the timed part read and adds it up. */
  void check(Checks checks) {
    for (int k = from; k < next; k++) {
      operation.check(k, checks);
    }
  }

  /** Undoes what was not run. */
  void undo(OperationSource source) {
    for (int k = size - 1; k >= next; k--) {
      operation.undo(k, source);
    }
    size = next;
  }

  int capacity() {
    return slots.capacity();
  }

  /** How many operations are timed together. */
  int together() {
    return together;
  }

  /** Whether all that was made has run. */
  boolean isSpent() {
    return next == size;
  }

  /** How many operations ran last. */
  int done() {
    return next - from;
  }

  /** How many have times: whole chunks, or one that is not. */
  int timed() {
    boolean rest = !atomic && chunks > 1 && done() % together != 0;
    return rest ? chunks - 1 : chunks;
  }

  long latency(int chunk) {
    return latencies[chunk];
  }

  /** The number of the kind of an operation, of those that ran last. */
  int kind(int k) {
    return operation.kind(from + k);
  }

  /** Whether its operations, of one kind, have halves that are timed apart. */
  boolean hasHalves() {
    return operation.hasHalves();
  }

  /** When the first half of an operation ended, or 0 where that was not looked at. */
  long firstEnded(int k) {
    return operation.firstEnded(from + k);
  }

  /** When {@link #run} began, on the clock of {@link System#nanoTime}. */
  long began() {
    return began;
  }

  /** When it ended. */
  long ended() {
    return ended;
  }

  /** How long it took. */
  long nanos() {
    return ended - began;
  }
}
