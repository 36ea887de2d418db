package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;

/**
 * A set of 64-bit hashes that stops growing at a bound: eight bytes per slot, half of the slots
 * free.
 */
final class LongSet {
  private final int bound;
  private long[] places = new long[1 << 10];
  private int size;

  LongSet(int bound) {
    this.bound = bound;
  }

  /** Returns whether the hash was already there. If not, adds it unless the bound is reached. */
  boolean containsOrAdd(long hash) {
    // Zero marks a free slot.
    long value = hash == 0 ? Mixing.GAMMA : hash;
    int mask = places.length - 1;
    int p = (int) (value & mask);
    while (places[p] != 0) {
      if (places[p] == value) {
        return true;
      }
      p = (p + 1) & mask;
    }
    if (size < bound) {
      places[p] = value;
      if (++size > places.length / 2) {
        grow();
      }
    }
    return false;
  }

  boolean full() {
    return size >= bound;
  }

  private void grow() {
    long[] old = places;
    places = new long[old.length * 2];
    int mask = places.length - 1;
    for (long value : old) {
      if (value != 0) {
        int p = (int) (value & mask);
        while (places[p] != 0) {
          p = (p + 1) & mask;
        }
        places[p] = value;
      }
    }
  }
}
