package io.kvstadium.bench.measure.source;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which generation of its value each key has. Takes memory only where keys were written again: a
 * page of 16 KiB for each 4,096 keys that include one.
 *
 * <p>Each key belongs to one thread that writes it; others may look, and see what it was or what it
 * is about to be.
 */
public final class Generations {
  /** The generation of a key that was deleted. */
  public static final int DELETED = -1;

  private static final int PAGE_BITS = 12;
  private static final int PAGE = 1 << PAGE_BITS;

  private final AtomicReferenceArray<int[]> pages;

  /**
   * @param keys how many there can be; all are in generation 0
   */
  public Generations(long keys) {
    this.pages = new AtomicReferenceArray<>(Math.toIntExact(keys >> PAGE_BITS) + 1);
  }

  public int get(long key) {
    int[] page = pages.getAcquire((int) (key >> PAGE_BITS));
    return page == null ? 0 : page[(int) key & (PAGE - 1)];
  }

  public void set(long key, int generation) {
    int number = (int) (key >> PAGE_BITS);
    int[] page = pages.getAcquire(number);
    if (page == null) {
      if (generation == 0) {
        return;
      }
      int[] fresh = new int[PAGE];
      int[] other = pages.compareAndExchange(number, null, fresh);
      page = other == null ? fresh : other;
    }
    page[(int) key & (PAGE - 1)] = generation;
  }

  /** Goes back to generation 0: everything was loaded anew. */
  void reset() {
    for (int i = 0; i < pages.length(); i++) {
      pages.set(i, null);
    }
  }

  /** Those of the first {@code keys} that are deleted. */
  public BitSet deleted(long keys) {
    BitSet deleted = new BitSet();
    for (long i = 0; i < keys; i++) {
      if (get(i) == DELETED) {
        deleted.set(Math.toIntExact(i));
      }
    }
    return deleted;
  }

  /** How many of the first {@code keys} are not deleted. */
  long live(long keys) {
    long live = 0;
    for (long i = 0; i < keys; i++) {
      live += get(i) == DELETED ? 0 : 1;
    }
    return live;
  }
}
