package io.kvstadium.bench.data.draw;

import java.util.SplittableRandom;
import org.apache.commons.rng.sampling.distribution.AliasMethodDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;

/**
 * Draws for {@link Distribution.KeyRanges}: which range by its heat, then which key inside by a
 * power law. As RocksDB's db_bench does in its benchmark "mixgraph", with these differences: heats
 * are exact and not rounded to a multiple of the coldest; ranges cover all keys even if their
 * number does not divide; and ranks are scattered over their range one to one, whereas the hash
 * used there lets keys collide and leaves others unused.
 */
final class KeyRangeDraws implements Indexes {
  // The fit of Cao et al. (FAST 2020) to the prefix_dist workload, as in db_bench's documentation.
  private static final double A = 14.18;
  private static final double B = -2.917;
  private static final double C = 0.0164;
  private static final double D = -0.08082;
  private static final double KEY_A = 0.002312;
  private static final double KEY_B = 0.3467;

  private final DiscreteSampler ranges;
  private final Permutation[] scatter;
  private final long[] start;
  private final SplittableRandom random;

  KeyRangeDraws(long n, int max, long placement, SplittableRandom random) {
    int count = count(n, max);
    this.random = random;
    this.start = new long[count];
    this.scatter = new Permutation[count];
    double[] heat = new double[count];
    Permutation places = places(count, placement);
    for (int x = 0; x < count; x++) {
      heat[(int) places.at(x)] = heat(x + 1);
    }
    for (int range = 0; range < count; range++) {
      start[range] = start(n, count, range);
      long size = start(n, count, range + 1) - start[range];
      scatter[range] = new Permutation(size, Seeds.derive(placement, range));
    }
    this.ranges = AliasMethodDiscreteSampler.of(random::nextLong, heat);
  }

  @Override
  public long next() {
    int range = ranges.sample();
    Permutation order = scatter[range];
    // 1 - nextDouble() is above 0: the share of draws that fall on the ranks up to this one
    double rank = StrictMath.pow((1 - random.nextDouble()) / KEY_A, 1 / KEY_B);
    long place = (long) StrictMath.ceil(rank) - 1;
    // There are more ranks than a range may have keys: the rest wraps around.
    return start[range] + order.at(place < order.size() ? place : place % order.size());
  }

  static int count(long n, int max) {
    return (int) Math.min(n, max);
  }

  /** Returns the places of the ranges in the key order, the hottest first. */
  static Permutation places(int count, long placement) {
    return new Permutation(count, Seeds.derive(placement, "key ranges"));
  }

  /** The weight of the range of heat number x, from 1. */
  static double heat(int x) {
    return A * StrictMath.exp(B * x) + C * StrictMath.exp(D * x);
  }

  /** Sizes differ by at most one; cannot overflow. */
  static long start(long n, int count, int range) {
    return n / count * range + Math.min(range, n % count);
  }
}
