package io.kvstadium.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * What the whole process used during a phase, including making and checking data; -1 where unknown.
 *
 * @param cpuNanos processor time of all threads
 * @param gcNanos time of garbage collections
 * @param allocatedBytes allocated on the Java heap by the threads that worked in the timed parts,
 *     and only there
 * @param readBytes bytes read from the device
 * @param flushes cache flushes of the whole device that the store is on, regardless of who asked
 *     for them, in phases that write
 * @param compileNanos time of the Java compiler's threads
 * @param elapsedNanos how long all this was counted: the phase with its untimed parts; {@code null}
 *     where unknown
 */
public record Cost(
    long cpuNanos,
    long gcNanos,
    long allocatedBytes,
    long readBytes,
    long flushes,
    long compileNanos,
    @Nullable Long elapsedNanos) {
  /** Nothing is known, except that no garbage collection was seen. */
  public static final Cost UNKNOWN = new Cost(-1, 0, -1, -1, -1, -1, null);

  /** Returns a copy with the device's flushes. */
  public Cost withFlushes(long newFlushes) {
    return new Cost(
        cpuNanos, gcNanos, allocatedBytes, readBytes, newFlushes, compileNanos, elapsedNanos);
  }
}
