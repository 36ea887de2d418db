package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import java.util.function.LongSupplier;

/** Draws from a population that grows, read anew once per block of draws. */
abstract class Growing implements Indexes {
  /**
   * So few that a lane of 10,000 operations a second lags 7 ms behind; so many that reading costs
   * nothing.
   */
  static final int BLOCK = 64;

  private final LongSupplier population;
  private final long room;
  private long n = Long.MIN_VALUE;
  private int left;

  Growing(LongSupplier population, long room) {
    this.population = population;
    this.room = room;
  }

  @Override
  public final long next() {
    if (left == 0) {
      left = BLOCK;
      long now = population.getAsLong();
      if (now != n) {
        if (now < 1 || now > room) {
          throw new BadArgumentException(
              "There are " + now + " keys to choose from: there must be 1 to " + room);
        }
        n = now;
        resize(now);
      }
    }
    left--;
    return draw(n);
  }

  /** The population has another size; called before the first draw too. */
  void resize(long n) {}

  /** An index below n. */
  abstract long draw(long n);
}
