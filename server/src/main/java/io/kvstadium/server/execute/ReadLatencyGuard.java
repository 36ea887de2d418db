package io.kvstadium.server.execute;

import java.util.concurrent.TimeUnit;

/**
 * Whether reads may be executed on an event loop, where others wait for them: only as long as they
 * come from memory. A read that took long came from a disk. For a while after it, all reads are
 * handed to the pool; this time doubles with each further slow read, up to ten seconds. So a store
 * that does not fit into memory costs an event loop one slow read in ten seconds, and one that does
 * fit costs no hand-over. Safe for all threads.
 */
public final class ReadLatencyGuard {
  private static final long SLOW = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

  private volatile long untrustedSince = System.nanoTime();
  private volatile long pause;

  boolean trusted() {
    return pause == 0 || System.nanoTime() - untrustedSince > pause;
  }

  /** Records how long reads on an event loop took, in nanoseconds. */
  void took(long nanos) {
    if (nanos > SLOW) {
      pause = Math.clamp(pause * 2, FIRST, LONGEST);
      untrustedSince = System.nanoTime();
    } else if (pause != 0 && System.nanoTime() - untrustedSince > 2 * pause) {
      pause = 0; // quick for as long again
    }
  }
}
