package io.kvstadium.bench.data.draw;

import io.kvstadium.store.BadArgumentException;
import java.util.function.LongSupplier;

/** Draws from a growing population, whose size is read once per block of draws. */
abstract class Growing implements Indexes {
  /**
   * Few enough that a lane of 10,000 operations a second lags only 7 ms behind; enough that reading
   * costs nothing.
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

  /** Called when the population has a new size, and before the first draw. */
  void resize(long n) {}

  /** Draws an index below n. */
  abstract long draw(long n);
}
