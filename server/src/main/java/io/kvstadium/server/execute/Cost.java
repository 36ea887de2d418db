package io.kvstadium.server.execute;

/**
 * Estimates how long a request takes: roughly the median of the last ones, since a few are
 * interrupted. An event loop executes what takes less than a hand-over itself; the rest is executed
 * elsewhere while the loop reads what other connections send. Safe for all threads: of two
 * concurrent measurements, one may be lost.
 */
public final class Cost {
  /**
   * Nanoseconds that a hand-over is worth. With pipelines of 16, what took 25 to 40 µs on the event
   * loop (gets and sets in memory) was 20 to 40 % faster elsewhere. What took 10 µs (nothing but
   * the server) was a quarter slower, on two cores ({@code benchmarks/server.sh}).
   */
  private static final long HAND_OVER = 16_000;

  /** How far each measurement moves the estimate towards itself. */
  private static final long STEP = 10;

  private volatile long nanos;

  /** Whether this many requests take less than a hand-over. */
  boolean small(int requests) {
    return requests * nanos < HAND_OVER;
  }

  /** Records the time that a number of requests took together, in nanoseconds. */
  void took(long together, int requests) {
    long before = nanos;
    nanos = before + (together > before * requests ? STEP : -STEP);
  }
}
