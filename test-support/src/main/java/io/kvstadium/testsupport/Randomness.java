package io.kvstadium.testsupport;

/**
 * The seed and the amount of all that tests do at random. Both come from system properties, which
 * the build sets: {@code stadium.seed}, which {@code ./test} prints, and {@code
 * stadium.multiplier}, which is below 1 in the usual tier and above 1 where there is time.
 */
public final class Randomness {
  private Randomness() {}

  /** Returns the seed of one test: that of the run, mixed with the test's name. */
  public static long seed(String test) {
    return Long.getLong("stadium.seed", 1) ^ test.hashCode();
  }

  /**
   * Returns how often to repeat something in this run.
   *
   * @param times how often with a multiplier of 1
   * @return at least 1
   */
  public static int times(int times) {
    double multiplier = Double.parseDouble(System.getProperty("stadium.multiplier", "1"));
    return Math.clamp(Math.round(times * multiplier), 1, Integer.MAX_VALUE);
  }
}
