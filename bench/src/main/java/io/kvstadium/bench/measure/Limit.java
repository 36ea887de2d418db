package io.kvstadium.bench.measure;

/**
 * When a thread has done its part of a phase.
 *
 * @param operations the most operations
 * @param nanos the most time on the block's clock
 */
public record Limit(long operations, long nanos) {
  boolean reached(Counters counters) {
    return counters.operations >= operations || counters.nanos >= nanos;
  }

  /** As many operations as there is time for. */
  public static final Limit NONE = new Limit(Long.MAX_VALUE / 2, Long.MAX_VALUE);

  int nextBlock(Counters counters, int capacity) {
    return (int) Math.min(capacity, operations - counters.operations);
  }

  /** Returns when the time is up, on the clock of {@link System#nanoTime}. */
  long deadline(Counters counters) {
    long left = nanos - counters.nanos;
    return left > Long.MAX_VALUE / 4
        ? System.nanoTime() + Long.MAX_VALUE / 4
        : System.nanoTime() + left;
  }
}
