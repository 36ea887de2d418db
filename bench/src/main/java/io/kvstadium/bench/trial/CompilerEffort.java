package io.kvstadium.bench.trial;

import io.kvstadium.bench.machine.CompilerTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The work of the JIT compiler from here on. */
final class CompilerEffort {
  /** Below this share of the time, the compiler hardly works. */
  private static final double SMALL = 0.1;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final long compiled = CompilerTime.nanos();
  private final long begin = System.nanoTime();

  boolean isSmall() {
    return CompilerTime.nanos() - compiled < SMALL * (System.nanoTime() - begin);
  }

  /**
   * Waits until the compiler rests: what it still has to do is not for the next phase to bear.
   *
   * @param maxNanos the longest wait
   */
  static void awaitRest(long maxNanos) {
    long begin = System.nanoTime();
    boolean rests = false;
    while (!rests && System.nanoTime() - begin < maxNanos) {
      CompilerEffort effort = new CompilerEffort();
      LockSupport.parkNanos(LOOK_NANOS);
      rests = effort.isSmall();
    }
  }
}
