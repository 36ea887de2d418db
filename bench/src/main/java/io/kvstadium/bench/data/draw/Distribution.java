package io.kvstadium.bench.data.draw;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.kvstadium.store.BadArgumentException;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Which keys a phase asks for, and in which order: a distribution over the indexes {@code [0, n)}
 * of the keys that exist.
 */
public sealed interface Distribution {
  /** The usual skew, as in YCSB. */
  double DEFAULT_THETA = 0.99;

  /** In the order of the indexes, starting over after the last. */
  record Sequential() implements Distribution {
    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      return lane.walk(n, position -> position);
    }

    @Override
    public String toString() {
      return "sequential";
    }
  }

  /**
   * Always the same index, or the last one if there are fewer.
   *
   * @param index from 0
   */
  record Only(long index) implements Distribution {
    public Only {
      if (index < 0) {
        throw new BadArgumentException("Key number " + index + ": count from 0");
      }
    }

    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      long there = Math.min(index, n - 1);
      return () -> there;
    }

    @Override
    public String toString() {
      return "only:" + index;
    }
  }

  /** Each index once per round, in a random order that depends on the seed of the draws. */
  record Shuffled() implements Distribution {
    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      return lane.walk(n, new Permutation(n, draws)::at);
    }

    @Override
    public String toString() {
      return "shuffled";
    }
  }

  /** Every index equally often, drawn with replacement. */
  record Uniform() implements Distribution {
    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      SplittableRandom random = lane.draws(draws);
      return () -> Mixing.reduce(random.nextLong(), n);
    }

    @Override
    public Indexes over(LongSupplier population, long room, long placement, long draws, Lane lane) {
      SplittableRandom random = lane.draws(draws);
      return new Growing(population, room) {
        @Override
        long draw(long n) {
          return Mixing.reduce(random.nextLong(), n);
        }
      };
    }

    @Override
    public String toString() {
      return "uniform";
    }
  }

  /**
   * Zipf's law: the key of rank k is asked for in proportion to k^-theta. Ranks are scattered over
   * the indexes one to one, so that the distribution is exact and the hot keys are not neighbours.
   *
   * @param theta skew, 0 (uniform) or more, including 1 and above
   */
  record Zipfian(double theta) implements Distribution {
    public Zipfian {
      checkTheta(theta);
    }

    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      ZipfRanks ranks = new ZipfRanks(n, theta);
      Permutation scatter = new Permutation(n, placement);
      SplittableRandom random = lane.draws(draws);
      return () -> scatter.at(ranks.next(random) - 1);
    }

    /**
     * {@inheritDoc}
     *
     * <p>At every moment this is Zipf's law over the keys that exist. A new key takes the rank of
     * another one, which becomes the coldest. All others keep theirs until the population passes a
     * half (a quarter …) of the room, when all are scattered anew.
     */
    @Override
    public Indexes over(LongSupplier population, long room, long placement, long draws, Lane lane) {
      ZipfRanks ranks = new ZipfRanks(1, theta);
      SplittableRandom random = lane.draws(draws);
      return new Growing(population, room) {
        private Permutation scatter = new Permutation(1, placement);

        @Override
        void resize(long n) {
          ranks.resize(n);
          long max = scatterRoom(n, room);
          if (scatter.size() != max) {
            scatter = new Permutation(max, placement);
          }
        }

        @Override
        long draw(long n) {
          return scatter.at(ranks.next(random) - 1, n);
        }
      };
    }

    /** The room, halved as long as the keys fit: otherwise a scatter takes long. */
    static long scatterRoom(long n, long room) {
      long max = room;
      while (max / 2 > n) {
        max /= 2;
      }
      return max;
    }

    @Override
    public String toString() {
      return "zipfian:" + theta;
    }
  }

  /**
   * Zipf's law over age: the newest key (the highest index) is asked for most.
   *
   * @param theta skew, as for {@link Zipfian}
   */
  record Latest(double theta) implements Distribution {
    public Latest {
      checkTheta(theta);
    }

    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      ZipfRanks ranks = new ZipfRanks(n, theta);
      SplittableRandom random = lane.draws(draws);
      return () -> n - ranks.next(random);
    }

    @Override
    public Indexes over(LongSupplier population, long room, long placement, long draws, Lane lane) {
      ZipfRanks ranks = new ZipfRanks(1, theta);
      SplittableRandom random = lane.draws(draws);
      return new Growing(population, room) {
        @Override
        void resize(long n) {
          ranks.resize(n);
        }

        @Override
        long draw(long n) {
          return n - ranks.next(random);
        }
      };
    }

    @Override
    public String toString() {
      return "latest:" + theta;
    }
  }

  /**
   * Locality as Z. Cao et al. found it in production ("Characterizing, modeling, and benchmarking
   * RocksDB key-value workloads at Facebook", FAST 2020): the keys are divided into contiguous
   * ranges of equal size, whose heat falls off by {@code a exp(b x) + c exp(d x)}; inside a range
   * the ranks of keys follow a power law, {@code P(rank <= r) = a r^b} up to 40 million ranks,
   * scattered over the range one to one (a range of fewer keys wraps around several times). The
   * hottest of 30 ranges gets 79 % of the draws. Parameters are those of db_bench's "mixgraph".
   * Which ranges are hot depends on the seed of the placement.
   *
   * <p>Ranges are of indexes; see {@link #needsKeyOrder()}.
   *
   * @param ranges how many, from 1 to 1,000,000; if there are fewer keys, each key is a range
   */
  record KeyRanges(int ranges) implements Distribution {
    /** As in the paper. */
    public static final int DEFAULT_RANGES = 30;

    private static final int MAX_RANGES = 1_000_000;

    public KeyRanges {
      if (ranges < 1 || ranges > MAX_RANGES) {
        throw new BadArgumentException(ranges + " key ranges: give 1 to " + MAX_RANGES);
      }
    }

    @Override
    public Indexes over(long n, long placement, long draws, Lane lane) {
      checkCount(n);
      return new KeyRangeDraws(n, ranges, placement, lane.draws(draws));
    }

    @Override
    public boolean needsKeyOrder() {
      return true;
    }

    @Override
    public String toString() {
      return "key-ranges:" + ranges;
    }
  }

  /**
   * One thread of several that work on a phase together. Walks are divided between the lanes, so
   * that together they visit each index once per round; random draws differ.
   *
   * @param number from 0
   * @param of the number of lanes
   */
  record Lane(int number, int of) {
    /** The only lane. */
    public static final Lane ONLY = new Lane(0, 1);

    public Lane {
      if (number < 0 || number >= of) {
        throw new BadArgumentException("Lane " + number + " of " + of + ": count from 0");
      }
    }

    private SplittableRandom draws(long seed) {
      return new SplittableRandom(Seeds.derive(seed, number));
    }

    /** Cycles through this lane's part of the positions. */
    private Indexes walk(long n, LongUnaryOperator order) {
      long from = start(n, number);
      long to = start(n, number + 1);
      if (from == to) {
        throw new BadArgumentException(
            "Lane " + number + " of " + of + " has none of " + n + " keys: use fewer threads");
      }
      long[] position = {from};
      return () -> {
        long current = position[0];
        position[0] = current + 1 == to ? from : current + 1;
        return order.applyAsLong(current);
      };
    }

    /** Parts differ by at most one; written so that n times the number of lanes cannot overflow. */
    private long start(long n, int lane) {
      return n / of * lane + Math.min(lane, n % of);
    }

    /** Returns how many of {@code n} positions belong to this lane: one round of a walk. */
    public long share(long n) {
      return start(n, number + 1) - start(n, number);
    }
  }

  /**
   * A stream of indexes for one thread.
   *
   * @param n how many keys exist, from 1
   * @param placement seed for which keys are hot: the same in all threads and phases of a trial
   * @param draws seed for the stream: different in each phase; each lane derives its own from it
   */
  Indexes over(long n, long placement, long draws, Lane lane);

  /**
   * A stream of indexes for one thread, over a number of keys that grows meanwhile (YCSB's
   * workloads D and E). Every index is below a size that the population had at most 64 draws ago.
   * The same seeds and sizes give the same stream. With a constant population, uniform and latest
   * give the stream of {@link #over(long, long, long, Lane)}, and so does zipfian if there is no
   * more room.
   *
   * @param population how many keys exist now, from 1; read in this thread once per 64 draws
   * @param room the most that {@code population} will ever return: the same in all threads and
   *     phases of a trial, because which keys are hot depends on it
   * @param placement seed for which keys are hot: the same in all threads and phases of a trial
   * @param draws seed for the stream: different in each phase; each lane derives its own from it
   * @throws BadArgumentException if this has no meaning: for walks, whose rounds would change along
   *     the way, and for key ranges; see {@link #grows()}
   */
  default Indexes over(LongSupplier population, long room, long placement, long draws, Lane lane) {
    throw new BadArgumentException(
        "Distribution "
            + this
            + " cannot choose from keys that grow in number: use uniform, zipfian or latest,"
            + " or leave out the inserts");
  }

  /** Whether keys can be drawn while they grow in number. */
  default boolean grows() {
    return switch (this) {
      case Uniform _, Zipfian _, Latest _ -> true;
      case Sequential _, Shuffled _, Only _, KeyRanges _ -> false;
    };
  }

  /**
   * Returns whether ranges of indexes are meant as ranges of neighbouring keys. If keys are not in
   * the order of their indexes (random keys, the user's own data), a draw is then a place in the
   * order of the keys, which {@link io.kvstadium.bench.data.Workset#keyOrder()} turns into an
   * index.
   */
  default boolean needsKeyOrder() {
    return false;
  }

  /**
   * Reads {@code sequential}, {@code shuffled}, {@code uniform}, {@code zipfian}, {@code
   * zipfian:0.8}, {@code latest}, {@code latest:1.1}, {@code only:7}, {@code key-ranges} or {@code
   * key-ranges:30}.
   */
  @JsonCreator
  static Distribution parse(String text) {
    return Distributions.parse(text);
  }

  /** Returns the text that {@link #parse} reads. */
  @JsonValue
  @Override
  String toString();

  private static void checkCount(long n) {
    if (n < 1) {
      throw new BadArgumentException("There are no keys to choose from: load some entries first");
    }
  }

  private static void checkTheta(double theta) {
    if (!(theta >= 0 && theta <= 100)) {
      throw new BadArgumentException("Skew " + theta + ": give 0 (uniform) to 100");
    }
  }

  /** A stream of indexes for a phase of one thread. */
  default Indexes over(long n, long placement, long draws) {
    return over(n, placement, draws, Lane.ONLY);
  }
}
