package io.kvstadium.bench.data;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of a block of operations, made before the clock starts. Arrays are used again from
 * one filling to the next where lengths allow, so what {@link #key} and {@link #value} return is
 * valid until then: fine for a store, which copies, but in a {@code Batch} only once that is
 * committed.
 */
public final class Block {
  private final Workset workset;
  private final long[] indexes;
  private final byte[] @Nullable [] keys;
  private final byte[] @Nullable [] values;

  /**
   * A block with nothing in it.
   *
   * @param capacity operations per block
   */
  public Block(Workset workset, int capacity) {
    this.workset = workset;
    this.indexes = new long[capacity];
    this.keys = new byte[capacity] @Nullable [];
    this.values = new byte[capacity] @Nullable [];
  }

  /** Prepares the keys of the next operations. */
  public void fillKeys(Indexes next, int count) {
    for (int k = 0; k < count; k++) {
      indexes[k] = next.next();
      keys[k] = workset.key(indexes[k], keys[k]);
    }
  }

  /** Prepares the keys of the next operations, and for each the value of a generation. */
  public void fillEntries(Indexes next, long generation, int count) {
    fillKeys(next, count);
    for (int k = 0; k < count; k++) {
      values[k] = workset.value(indexes[k], generation, values[k]);
    }
  }

  /** How many operations fit. */
  public int capacity() {
    return indexes.length;
  }

  /** The index that operation {@code k} is about. */
  public long index(int k) {
    return indexes[k];
  }

  /** The key of operation {@code k}. */
  public byte[] key(int k) {
    return filled(keys[k], k);
  }

  /** The value of operation {@code k}, as filled by {@link #fillEntries}. */
  public byte[] value(int k) {
    return filled(values[k], k);
  }

  private static byte[] filled(byte @Nullable [] bytes, int k) {
    if (bytes == null) {
      throw new IllegalStateException("Operation " + k + " of the block was not filled");
    }
    return bytes;
  }
}
