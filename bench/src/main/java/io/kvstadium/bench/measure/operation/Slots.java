package io.kvstadium.bench.measure.operation;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.suite.Shape;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the operations of a block are on: arrays, so that the timed part finds everything made and
 * only keeps what it reads.
 */
public final class Slots {
  final Workset workset;
  final Generations generations;
  final Shape shape;
  private final @Nullable BitSet absent;
  final @Nullable Supplier<byte @Nullable []> greatest;
  final boolean timesHalves;
  final long[] indexes;
  private final int[] prior;
  public final byte[][] keys;
  public final byte[] @Nullable [] values;
  final byte[] @Nullable [] results;

  /**
   * @param generations updated for what will be written
   * @param absent if others write to the keys that are read, those that were not there before;
   *     otherwise {@code null}
   * @param greatest gives the greatest key that there is ({@code null} for none), so that scans
   *     that end early can be checked; {@code null} where that is not known
   * @param timesHalves whether the halves of an operation that has two are timed apart
   * @param capacity the most operations
   */
  public Slots(
      Workset workset,
      Generations generations,
      Shape shape,
      @Nullable BitSet absent,
      @Nullable Supplier<byte @Nullable []> greatest,
      boolean timesHalves,
      int capacity) {
    this.workset = workset;
    this.generations = generations;
    this.shape = shape;
    this.absent = absent;
    this.greatest = greatest;
    this.timesHalves = timesHalves;
    this.indexes = new long[capacity];
    this.prior = new int[capacity];
    this.keys = new byte[capacity][];
    this.values = new byte[capacity] @Nullable [];
    this.results = new byte[capacity] @Nullable [];
  }

  public int capacity() {
    return keys.length;
  }

  /** Sets the key of an operation that leaves the key's value as it is. */
  void key(int k, long index) {
    indexes[k] = index;
    keys[k] = workset.key(index);
    values[k] = null;
    prior[k] = generations.get(index);
  }

  /** Sets the key of an operation, and the value that it puts next there. */
  void put(int k, long index) {
    key(k, index);
    int generation = Math.max(prior[k], 0) + 1;
    values[k] = workset.value(index, generation);
    generations.set(index, generation);
  }

  /** Sets the key of an operation that deletes it. */
  void delete(int k, long index) {
    key(k, index);
    generations.set(index, Generations.DELETED);
  }

  /** Undoes {@link #put} and {@link #delete}, since it was not run after all. */
  void undo(int k) {
    generations.set(indexes[k], prior[k]);
  }

  /** Takes what an operation has read. */
  byte @Nullable [] take(int k) {
    byte[] result = results[k];
    results[k] = null;
    return result;
  }

  /** Checks a value that was read before the operation's own write, if it has one. */
  void check(int k, byte @Nullable [] value, Checks checks) {
    check(indexes[k], prior[k], value, checks);
  }

  void check(long index, int generation, byte @Nullable [] value, Checks checks) {
    if (absent != null) {
      // another thread writes meanwhile: it announces a generation before it writes it
      boolean mayMiss = index <= Integer.MAX_VALUE && absent.get((int) index);
      checks.checkAny(workset, index, generations.get(index), mayMiss, value);
    } else {
      checks.check(workset, index, generation, value);
    }
  }

  /** The generation that an operation has found. */
  int generation(int k) {
    return prior[k];
  }
}
