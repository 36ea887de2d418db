package io.kvstadium.backup;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Keeps work below a number of bytes per second: the worker calls it after each part, and is held
 * up. What was missed while the work itself was slow is not made up for. Used by one thread at a
 * time.
 */
final class RateLimiter {
  /** Shorter waits are combined, since a wait takes longer than it should. */
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final double nanosPerByte;
  private final LongSupplier clock;
  private final LongConsumer sleep;
  private long due; // when what was done would be done at that rate
  private boolean begun;

  /**
   * @param rate bytes per second
   */
  RateLimiter(long rate) {
    this(rate, System::nanoTime, RateLimiter::sleep);
  }

  /**
   * @param clock returns nanoseconds
   * @param sleep sleeps for the given number of nanoseconds
   */
  RateLimiter(long rate, LongSupplier clock, LongConsumer sleep) {
    this.nanosPerByte = 1e9 / rate;
    this.clock = clock;
    this.sleep = sleep;
  }

  /** Holds nothing up. */
  static RateLimiter free() {
    return new RateLimiter(Long.MAX_VALUE);
  }

  /** Waits if these bytes came too early. */
  void passed(long bytes) {
    long now = clock.getAsLong();
    due = (begun && due - now > 0 ? due : now) + (long) (bytes * nanosPerByte);
    begun = true;
    if (due - now >= SHORTEST_NANOS) {
      sleep.accept(due - now);
    }
  }

  /** Keeps sleeping if interrupted; the thread's next interruptible call sees the interrupt. */
  private static void sleep(long nanos) {
    boolean interrupted = false;
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
