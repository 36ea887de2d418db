package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.TrialFailure;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;

/** Which keys a store holds, and in which generations. Phases run one after the other on it. */
public final class Population {
  /** How many keys are looked at to estimate the size of all. */
  private static final int SAMPLE = 100_000;

  private final long loaded;
  private final long room;
  private final Generations generations;
  private long frontier;
  private long added;
  private long loadedBytes = -1;

  /**
   * @param loaded how many keys there are: the indexes below it may be asked for
   * @param room how many there can be
   */
  public Population(long loaded, long room) {
    this.loaded = loaded;
    this.room = room;
    this.generations = new Generations(room);
    this.frontier = loaded;
  }

  public long loaded() {
    return loaded;
  }

  public Generations generations() {
    return generations;
  }

  /** How many keys can still be added. */
  public long left() {
    return room - frontier;
  }

  /** How many keys phases have added to those that were loaded. */
  public long added() {
    return added;
  }

  /** How many keys there are. */
  public long live() {
    return generations.live(loaded) + added;
  }

  /**
   * Called when a load has ended.
   *
   * @param bytes of keys and values that it brought
   * @param all whether it brought every entry: each has its first value again, and what was added
   *     is still there
   */
  public void loaded(long bytes, boolean all) {
    if (all) {
      generations.reset();
      loadedBytes = bytes;
    } else {
      loadedBytes = Math.max(loadedBytes, bytes);
    }
  }

  /** Called when a new store has replaced the one that was there: it holds nothing yet. */
  public void renew() {
    generations.reset();
    added = 0;
    frontier = loaded;
    loadedBytes = -1;
  }

  /**
   * Returns the bytes of all keys and values that there are, or -1 if nothing was written yet. What
   * a load brought is known to the byte; what updates, deletes and inserts made of it is worked out
   * key by key for {@value #SAMPLE} keys at most, and beyond that from as many, evenly spread.
   */
  public long liveBytes(Workset workset) {
    if (loadedBytes < 0 && added == 0) {
      return -1;
    }
    double change = mean(0, loaded, i -> change(workset, i)) * loaded;
    double more = mean(loaded, frontier, i -> bytes(workset, i, generations.get(i))) * added;
    return Math.max(0, Math.max(0, loadedBytes) + Math.round(change + more));
  }

  private double change(Workset workset, long i) {
    int generation = generations.get(i);
    return generation == 0 ? 0 : bytes(workset, i, generation) - bytes(workset, i, 0);
  }

  private static double bytes(Workset workset, long i, int generation) {
    return generation == Generations.DELETED
        ? 0
        : workset.key(i).length + workset.valueLength(i, generation);
  }

  /** Returns the mean over one index of each of many equal stretches. */
  private static double mean(long from, long to, LongToDoubleFunction figure) {
    long looks = Math.min(SAMPLE, to - from);
    if (looks <= 0) {
      return 0;
    }
    // not the first of each stretch: threads own every n-th key
    SplittableRandom random = new SplittableRandom(to);
    double stretch = (double) (to - from) / looks;
    double sum = 0;
    for (long look = 0; look < looks; look++) {
      double within = looks == to - from ? 0 : random.nextDouble();
      sum += figure.applyAsDouble(from + (long) ((look + within) * stretch));
    }
    return sum / looks;
  }

  /** Returns the new keys of one of several threads: every n-th, so that no two take the same. */
  public Adder adder(int lane, int lanes) {
    return new Adder(frontier + lane, lanes, room);
  }

  /** Takes over what a thread has added, once its phase has ended. */
  public void add(Adder adder) {
    if (adder.count() > 0) {
      added += adder.count();
      frontier = Math.max(frontier, adder.next);
    }
  }

  /** Hands out new keys to one thread. */
  public static final class Adder {
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

    /** Takes the next index. */
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

    /** Gives back the last ones. */
    public void forget(int count) {
      next -= (long) count * step;
    }

    /** How many were taken and not given back. */
    long count() {
      return (next - first) / step;
    }
  }
}
