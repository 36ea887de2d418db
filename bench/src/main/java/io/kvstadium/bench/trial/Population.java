package io.kvstadium.bench.trial;

/** Which keys a store holds, and in which generations. Phases run one after the other on it. */
final class Population {
  private final long loaded;
  private final Generations generations;
  private long frontier;
  private long added;

  /**
   * @param loaded how many keys there are: the indexes below it may be asked for
   */
  Population(long loaded) {
    this(loaded, new Generations(loaded));
  }

  /**
   * @param generations of keys of which only some may be there
   */
  Population(long loaded, Generations generations) {
    this.loaded = loaded;
    this.generations = generations;
    this.frontier = loaded;
  }

  long loaded() {
    return loaded;
  }

  Generations generations() {
    return generations;
  }

  /** How many keys phases have added to those that were loaded. */
  long added() {
    return added;
  }

  /** How many keys there are. */
  long live() {
    return generations.live(loaded) + added;
  }

  /** All entries were loaded anew. */
  void reset() {
    generations.reset();
  }

  /** The new keys of one of several threads: every so-many-th, so that no two take the same. */
  Adder adder(int lane, int lanes) {
    return new Adder(frontier + lane, lanes);
  }

  /** Takes over what a thread has added, once its phase has ended. */
  void add(Adder adder) {
    added += adder.count();
    frontier = Math.max(frontier, adder.next);
  }

  /** Hands out new keys to one thread. */
  static final class Adder implements Feed.Growth {
    private final long first;
    private final int step;
    private long next;

    private Adder(long first, int step) {
      this.first = first;
      this.step = step;
      this.next = first;
    }

    @Override
    public long add() {
      long index = next;
      next += step;
      return index;
    }

    @Override
    public void forget(int count) {
      next -= (long) count * step;
    }

    /** How many were taken and not given back. */
    long count() {
      return (next - first) / step;
    }
  }
}
