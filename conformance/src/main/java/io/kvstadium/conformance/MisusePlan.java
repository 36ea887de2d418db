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

  /** The seed of the run in every build, which should fail only because of what was changed. */
  private static final long USUAL_SEED = 1;

  /**
   * As the system properties say, otherwise with few steps and always the same seed; what an engine
   * cannot take is left out as well.
   */
  static MisusePlan of(boolean virtual, int fewSteps, Set<String> impossible) {
    Set<String> without =
        new TreeSet<>(List.of(System.getProperty(PREFIX + "without", "").split(",", -1)));
    without.addAll(impossible);
    return new MisusePlan(
        seed(System.getProperty(PREFIX + "seed", "")),
        Integer.getInteger(PREFIX + "steps", fewSteps),
        Integer.getInteger(PREFIX + "threads", FEW_THREADS),
        virtual,
        without);
  }

  private static long seed(String text) {
    return switch (text) {
      case "" -> USUAL_SEED;
      case "random" -> System.nanoTime();
      default -> Long.parseLong(text);
    };
  }

  /** How to run it again. */
  @Override
  public String toString() {
    return "%s threads; again with -D%sseed=%d -D%ssteps=%d -D%sthreads=%d -D%swithout=%s"
        .formatted(
            virtual ? "virtual" : "platform",
            PREFIX,
            seed,
            PREFIX,
            steps,
            PREFIX,
            threads,
            PREFIX,
            String.join(",", without));
  }
}
