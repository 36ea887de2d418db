package io.kvstadium.bench.measure;

import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.operation.Slots;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.operation.TimedOperation;
import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.suite.Operation;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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

  private final Slots slots;
  private final int together;
  private final boolean atomic;
  private final Map<Operation, Integer> numbers = new EnumMap<>(Operation.class);
  private final TimedOperation[] kinds;
  private final int[] kindOf;

  /** Before which operation another kind follows: one call runs all of a kind until then. */
  private final int[] untilOther;

  private final long[] latencies;
  private int size;
  private int done;
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
    this.kinds = new TimedOperation[operations.size()];
    for (Operation each : operations) {
      kinds[numbers.size()] = TimedOperation.of(each, slots);
      numbers.put(each, numbers.size());
    }
    this.kindOf = new int[slots.capacity()];
    this.untilOther = new int[slots.capacity()];
    this.latencies = new long[slots.capacity()];
  }

  /** Makes the next operations, fewer if the source has fewer. */
  void fill(int count, OperationSource source) {
    size = 0;
    while (size < count && source.hasNext()) {
      Integer kind = numbers.get(source.operation());
      kindOf[size] = kind == null ? 0 : kind;
      kinds[kindOf[size]].prepare(size, source);
      size++;
    }
    for (int k = size - 1, end = size; k >= 0; k--) {
      end = k + 1 < size && kindOf[k] != kindOf[k + 1] ? k + 1 : end;
      untilOther[k] = end;
    }
  }

  /**
   * Runs the operations.
   *
   * @param deadline stops after the chunk that passes this time, on the clock of {@link
   *     System#nanoTime}
   */
  void run(Target target, long deadline) {
    List<byte[]> keys = Arrays.asList(slots.keys);
    List<byte[]> values = Arrays.asList(slots.values);
    int k = 0;
    int c = 0;
    long begin = System.nanoTime();
    long before = begin;
    while (k < size) {
      int end = Math.min(k + together, size);
      if (atomic) {
        target.write(keys.subList(k, end), values.subList(k, end));
        k = end;
      }
      while (k < end) {
        int next = Math.min(end, untilOther[k]);
        kinds[kindOf[k]].run(target, k, next);
        k = next;
      }
      long now = System.nanoTime();
      latencies[c++] = now - before;
      before = now;
      if (now - deadline > 0) {
        break;
      }
    }
    done = k;
    chunks = c;
    began = begin;
    ended = before;
  }

  /** Checks what the timed part read and adds it up. */
  void check(Checks checks) {
    for (int k = 0; k < done; k++) {
      kinds[kindOf[k]].check(k, checks);
    }
  }

  /** Undoes what was not run because of the deadline. */
  void undo(OperationSource source) {
    for (int k = size - 1; k >= done; k--) {
      kinds[kindOf[k]].undo(k, source);
    }
  }

  int capacity() {
    return slots.capacity();
  }

  /** How many operations are timed together. */
  int together() {
    return together;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** How many operations have run. */
  int done() {
    return done;
  }

  /** How many have times: whole chunks, or one that is not. */
  int timed() {
    boolean rest = !atomic && chunks > 1 && done % together != 0;
    return rest ? chunks - 1 : chunks;
  }

  long latency(int chunk) {
    return latencies[chunk];
  }

  /** The number of the kind of an operation. */
  int kind(int k) {
    return kindOf[k];
  }

  /** Whether its operations, of one kind, have halves that are timed apart. */
  boolean hasHalves() {
    return kinds[0].hasHalves();
  }

  /** When the first half of an operation ended, or 0 where that was not looked at. */
  long firstEnded(int k) {
    return kinds[0].firstEnded(k);
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
