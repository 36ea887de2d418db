package io.kvstadium.conformance;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a run of misuse is made of. The same seed gives each thread the same steps in the same
 * order; how those of several threads interleave is up to the machine.
 *
 * @param steps of all threads together
 * @param without names of steps that are left out, such as {@code interrupt}
 */
record MisusePlan(long seed, int steps, int threads, boolean virtual, Set<String> without) {
  private static final String PREFIX = "stadium.misuse.";
  private static final int FEW_THREADS = 6;

  /**
   * As the system properties say; what an engine cannot take is left out as well.
   *
   * @param steps with a multiplier of 1, see {@link Seed}
   */
  static MisusePlan of(boolean virtual, int steps, Set<String> impossible) {
    Set<String> without =
        new TreeSet<>(List.of(System.getProperty(PREFIX + "without", "").split(",", -1)));
    without.addAll(impossible);
    return new MisusePlan(
        Seed.get(),
        Seed.times(steps),
        Integer.getInteger(PREFIX + "threads", FEW_THREADS),
        virtual,
        without);
  }

  /** How to run it again. */
  @Override
  public String toString() {
    return "%s threads, %d steps; %s -D%sthreads=%d -D%swithout=%s"
        .formatted(
            virtual ? "virtual" : "platform",
            steps,
            Seed.again(seed),
            PREFIX,
            threads,
            PREFIX,
            String.join(",", without));
  }
}
