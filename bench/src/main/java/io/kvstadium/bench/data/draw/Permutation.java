package io.kvstadium.bench.data.draw;

import io.kvstadium.store.BadArgumentException;

/**
 * A seeded random order of {@code [0, n)} that needs no memory: a bijection over the next power of
 * two, walked along its cycle until it falls inside the range (fewer than two steps on average,
 * since more than half of the domain is inside).
 */
public final class Permutation {
  /**
   * Enough according to chi-square tests of positions and of steps between neighbours: four rounds
   * show a bias below 2^8 only, where eight still show one at n = 5.
   */
  private static final int ROUNDS = 4;

  private static final int ROUNDS_OF_SMALL = 12;
  private static final int SMALL = 1 << 8;

  private final long n;
  private final long mask;
  private final int shift;
  private final long[] add;
  private final long[] multiply;

  /**
   * @param n how many indexes there are, from 1 to 2^62
   */
  public Permutation(long n, long seed) {
    if (n < 1 || n > 1L << 62) {
      throw new BadArgumentException("An order of " + n + " indexes: give 1 to 2^62");
    }
    this.n = n;
    int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(n - 1));
    this.mask = -1L >>> (Long.SIZE - bits);
    this.shift = (bits + 1) / 2;
    int rounds = n <= SMALL ? ROUNDS_OF_SMALL : ROUNDS;
    this.add = new long[rounds];
    this.multiply = new long[rounds];
    for (int round = 0; round < rounds; round++) {
      add[round] = Seeds.derive(seed, 2L * round);
      multiply[round] = Seeds.derive(seed, 2L * round + 1) | 1;
    }
  }

  /** How many indexes there are. */
  public long size() {
    return n;
  }

  /** The index at a position of the order; distinct for distinct positions in {@code [0, n)}. */
  public long at(long position) {
    return at(position, n);
  }

  /**
   * Returns the index at a position of an order of only the first {@code first} indexes. Orders of
   * different sizes are alike: an index that is added takes the place of another one, which moves
   * to the new last position, and everything else stays. Takes {@link #size} / {@code first} times
   * as long.
   *
   * @param first how many indexes, from 1 to {@link #size}; more than the position
   */
  public long at(long position, long first) {
    long x = position;
    do {
      x = step(x);
    } while (x >= first);
    return x;
  }

  /**
   * Adding, multiplying by an odd number and folding the upper half into the lower are each
   * invertible modulo a power of two, and so is their composition.
   */
  private long step(long x) {
    for (int round = 0; round < add.length; round++) {
      x = ((x + add[round]) * multiply[round]) & mask;
      x ^= x >>> shift;
    }
    return x;
  }
}
