package io.kvstadium.conformance;

/**
 * The seed and the amount of all that is drawn at random. A failure names the seed that draws the
 * same again.
 */
final class Seed {
  /** System property with the seed; without it, each run draws something else. */
  static final String PROPERTY = "stadium.seed";

  /** System property with a factor on how much is drawn; 1 without it. */
  static final String MULTIPLIER = "stadium.multiplier";

  private Seed() {}

  /** The requested seed, or a new one. */
  static long get() {
    return Long.getLong(PROPERTY, System.nanoTime());
  }

  /** How often to repeat what is repeated {@code times} with a multiplier of 1; at least once. */
  static int times(int times) {
    double multiplier = Double.parseDouble(System.getProperty(MULTIPLIER, "1"));
    return Math.clamp(Math.round(times * multiplier), 1, Integer.MAX_VALUE);
  }

  /** How to run it again, for messages. */
  static String again(long seed) {
    return "again with -D" + PROPERTY + "=" + seed;
  }
}
