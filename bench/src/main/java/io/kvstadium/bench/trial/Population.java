package io.kvstadium.bench.trial;

/** Which keys a store holds, and in which generations. Phases run one after the other on it. */
final class Population {
  private final long loaded;
  private final long room;
  private final Generations generations;
  private long frontier;
  private long added;

  /**
   * @param loaded how many keys there are: the indexes below it may be asked for
   * @param room how many there can be
   */
  Population(long loaded, long room) {
    this(loaded, room, new Generations(room));
  }

  /**
   * @param generations of keys of which only some may be there
   */
  Population(long loaded, long room, Generations generations) {
    this.loaded = loaded;
    this.room = room;
    this.generations = generations;
    this.frontier = loaded;
  }

  long loaded() {
    return loaded;
  }

  Generations generations() {
    return generations;
  }

  /** How many keys can still be added. */
  long left() {
    return room - frontier;
  }

  /** How many keys phases have added to those that were loaded. */
  long added() {
    return added;
  }

  /** How many keys there are. */
  long live() {
    return generations.live(loaded) + added;
  }

  /** All entries were put anew; what was added is still there. */
  void reset() {
    generations.reset();
  }

  /** All entries were loaded into a new store. */
  void renew() {
    generations.reset();
    frontier = loaded;
    added = 0;
  }

  /** The new keys of one of several threads: every so-many-th, so that no two take the same. */
  Adder adder(int lane, int lanes) {
    return new Adder(frontier + lane, lanes, room);
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
    private final long room;
    private long next;

    private Adder(long first, int step, long room) {
      this.first = first;
      this.step = step;
      this.room = room;
      this.next = first;
    }

    @Override
    public long add() {
      long index = next;
      if (index >= room) {
        throw new TrialFailure(
            "there are no more new keys to insert: give the phase fewer operations or seconds"
                + " (the user's own data has none at all)",
            null);
      }
      next += step;
      return index;
    }

    /** The key that was taken as number {@code i}, from 0. */
    long at(long i) {
      return first + i * step;
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
