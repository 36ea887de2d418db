package io.kvstadium.server.round;

import java.util.concurrent.TimeUnit;

/**
 * Whether reads may be executed on an event loop, where others wait for them: as long as they come
 * from memory. One that took long was of a disk; for a while after it all are handed to the pool,
 * and the while doubles with each that follows, up to ten seconds. So a store that does not fit
 * into memory costs an event loop one slow read in ten seconds, and one that does no hand-over.
 * Safe for all threads.
 */
final class Quickness {
  private static final long SLOW = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

  private volatile long untrustedSince = System.nanoTime();
  private volatile long pause;

  boolean trusted() {
    return pause == 0 || System.nanoTime() - untrustedSince > pause;
  }

  /** Reads on an event loop have taken so long, in nanoseconds. */
  void took(long nanos) {
    if (nanos > SLOW) {
      pause = Math.clamp(pause * 2, FIRST, LONGEST);
      untrustedSince = System.nanoTime();
    } else if (pause != 0 && System.nanoTime() - untrustedSince > 2 * pause) {
      pause = 0; // quick for as long again
    }
  }
}
