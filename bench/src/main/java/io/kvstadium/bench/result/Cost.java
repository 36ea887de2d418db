package io.kvstadium.bench.result;

/**
 * What the whole process used up during a phase, the making and checking of data included; -1 where
 * unknown.
 *
 * @param cpuNanos processor time of all threads
 * @param gcNanos time of garbage collections
 * @param allocatedBytes allocated on the Java heap by the threads that worked in the timed parts,
 *     and only there
 * @param readBytes that were read from the device
 * @param flushes of the whole device that the store lies on, whoever asked for them, in phases that
 *     write: how often it was made to write its own cache
 * @param compileNanos time of the Java compiler's threads
 */
public record Cost(
    long cpuNanos,
    long gcNanos,
    long allocatedBytes,
    long readBytes,
    long flushes,
    long compileNanos) {
  /** One without flushes and compilation. */
  public Cost(long cpuNanos, long gcNanos, long allocatedBytes, long readBytes) {
    this(cpuNanos, gcNanos, allocatedBytes, readBytes, -1, -1);
  }

  /** With the time of the compiler. */
  public Cost withCompilation(long nanos) {
    return new Cost(cpuNanos, gcNanos, allocatedBytes, readBytes, flushes, nanos);
  }

  /** With the device's flushes. */
  public Cost withFlushes(long newFlushes) {
    return new Cost(cpuNanos, gcNanos, allocatedBytes, readBytes, newFlushes, compileNanos);
  }

  /** Nothing known but that no garbage collection was seen. */
  public static final Cost UNKNOWN = new Cost(-1, 0, -1, -1);
}
