package io.kvstadium.conformance;

import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Rounds of a test: many on most engines, and fewer where each takes long, as in a cluster. */
final class Rounds {
  private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(10);

  private Rounds() {}

  /**
   * Runs them one after another.
   *
   * @param fewest how many are run however long they take
   */
  static void upTo(int most, int fewest, IntConsumer round) {
    long begun = System.nanoTime();
    for (int i = 0; i < most; i++) {
      if (i >= fewest && System.nanoTime() - begun > ENOUGH_NANOS) {
        return;
      }
      round.accept(i);
    }
  }
}
