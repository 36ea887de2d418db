package io.kvstadium.bench.measure;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits for the moments at which operations must start. It sleeps only as long as there is time to
 * spare, and spins for the last stretch: a sleeping thread wakes some 50 to 100 microseconds late,
 * and every latency would include that.
 */
public final class RateLimiter {
  /** How late a sleep may end. */
  private static final long SPIN_NANOS = 250_000;

  /** Where threads share a core, spinning would keep the others from their work. */
  private static final long CROWDED_SPIN_NANOS = 60_000;

  private final boolean crowded;

  /**
   * @param threads that wait at the same time
   */
  public RateLimiter(int threads) {
    this.crowded = threads >= Runtime.getRuntime().availableProcessors();
  }

  /** Returns at a moment on the clock of {@link System#nanoTime}, or at once if it has passed. */
  @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on the yield
  public void await(long moment) {
    long spin = crowded ? CROWDED_SPIN_NANOS : SPIN_NANOS;
    for (long left = moment - System.nanoTime(); left > spin; left = moment - System.nanoTime()) {
      LockSupport.parkNanos(left - spin);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
    while (moment - System.nanoTime() > 0) {
      if (crowded) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
