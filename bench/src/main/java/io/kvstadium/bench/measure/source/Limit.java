package io.kvstadium.bench.measure.source;

/**
 * When a thread has done its part of a phase.
 *
 * @param operations the most operations
 * @param nanos the most time in timed parts
 */
public record Limit(long operations, long nanos) {
  /** As many operations as there is time for. */
  public static final Limit NONE = new Limit(Long.MAX_VALUE / 2, Long.MAX_VALUE);

  /** Whether what was done so far, and the time that it took, is enough. */
  public boolean reached(long done, long took) {
    return done >= operations || took >= nanos;
  }

  /** How many operations the next block may have. */
  public int nextBlock(long done, int capacity) {
    return (int) Math.min(capacity, operations - done);
  }

  /** Returns when the time is up, on the clock of {@link System#nanoTime}. */
  public long deadline(long took) {
    long left = nanos - took;
    return left > Long.MAX_VALUE / 4
        ? System.nanoTime() + Long.MAX_VALUE / 4
        : System.nanoTime() + left;
  }
}
