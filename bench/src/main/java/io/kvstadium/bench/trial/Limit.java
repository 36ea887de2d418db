package io.kvstadium.bench.trial;

/**
 * When a thread has done its part of a phase.
 *
 * @param operations the most operations
 * @param nanos the most time on the block's clock
 */
record Limit(long operations, long nanos) {
  boolean reached(Tally tally) {
    return tally.operations >= operations || tally.nanos >= nanos;
  }

  /** As many operations as there is time for. */
  static final Limit NONE = new Limit(Long.MAX_VALUE / 2, Long.MAX_VALUE);

  int nextBlock(Tally tally, int capacity) {
    return (int) Math.min(capacity, operations - tally.operations);
  }

  /** Returns when the time is up, on the clock of {@link System#nanoTime}. */
  long deadline(Tally tally) {
    long left = nanos - tally.nanos;
    return left > Long.MAX_VALUE / 4
        ? System.nanoTime() + Long.MAX_VALUE / 4
        : System.nanoTime() + left;
  }
}
