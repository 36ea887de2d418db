package io.kvstadium.conformance;

/**
 * The seed of what is drawn afresh in each run; a failure names the one that draws the same again.
 */
final class Seed {
  /** System property with the seed of the random and of the kill tests. */
  static final String PROPERTY = "stadium.kit.seed";

  private Seed() {}

  /** The requested seed, or a new one. */
  static long get() {
    return Long.getLong(PROPERTY, System.nanoTime());
  }

  /** How to run it again, for messages. */
  static String again(long seed) {
    return "again with -D" + PROPERTY + "=" + seed;
  }
}
