package io.kvstadium.torture.program;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A time that is waited, asked for at every poll. While this process was not run either, because
 * the machine stood still or others took it, it does not pass: what is waited for got no further.
 */
final class Patience {
  /** The longest time that passes between two polls. */
  private static final long MAX_STEP = TimeUnit.MILLISECONDS.toNanos(20);

  private final LongSupplier clock;
  private long left;
  private long last;

  Patience(Duration time) {
    this(time, System::nanoTime);
  }

  /**
   * @param clock in nanoseconds
   */
  Patience(Duration time, LongSupplier clock) {
    this.clock = clock;
    this.left = time.toNanos();
    this.last = clock.getAsLong();
  }

  /** Whether the time is over. */
  boolean isOver() {
    long now = clock.getAsLong();
    left -= Math.min(now - last, MAX_STEP);
    last = now;
    return left <= 0;
  }
}
