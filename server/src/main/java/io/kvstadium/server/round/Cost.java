package io.kvstadium.server.round;

/**
 * How long a request takes: about the median of the last ones, since a few are interrupted. An
 * event loop executes by itself what takes less than handing it over; the rest is executed
 * elsewhere while the loop reads what other connections send. Safe for all threads: where two tell
 * of something at once, one may be lost.
 */
final class Cost {
  /**
   * Nanoseconds that a hand-over is worth. With pipelines of 16, what took 25 to 40 µs on the event
   * loop (gets and sets of memory) was 20 to 40 % faster elsewhere, and what took 10 µs (nothing
   * but the server) a quarter slower, on two cores ({@code benchmarks/server.sh}).
   */
  private static final long HAND_OVER = 16_000;

  /** By so much each moves the estimate towards itself. */
  private static final long STEP = 10;

  private volatile long nanos;

  /** Whether so many take less than a hand-over. */
  boolean small(int pieces) {
    return pieces * nanos < HAND_OVER;
  }

  /** So many took so long, in nanoseconds. */
  void took(long together, int pieces) {
    long before = nanos;
    nanos = before + (together > before * pieces ? STEP : -STEP);
  }
}
