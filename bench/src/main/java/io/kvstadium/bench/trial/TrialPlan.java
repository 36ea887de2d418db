package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.PhaseSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that a trial's process needs to know.
 *
 * @param configuration the engine and how it is used
 * @param number of the trial, from 1
 * @param seed what its keys, values and orders are made from
 * @param directory an empty directory that it may fill
 * @param data shape of generated data; with a source, of the warm-up's
 * @param source the user's own data, or {@code null}
 * @param phases in order, each with operations or seconds
 * @param warmUpSeconds about how long the same phases run before, on a store that is thrown away
 * @param chunks how many operations share one reading of the clock, by phase; where a phase is
 *     missing, its warm-up decides
 * @param turns whether it shares the time with others: then it asks for each of its turns
 * @param profiling what is recorded with JFR, or {@code null} if the trial is for its figures
 */
public record TrialPlan(
    Configuration configuration,
    int number,
    long seed,
    String directory,
    DataSpec data,
    @Nullable Source source,
    List<PhaseSpec> phases,
    double warmUpSeconds,
    Map<String, Integer> chunks,
    boolean turns,
    @Nullable Profiling profiling) {
  /** How many operations share one reading of the clock where one takes less than a microsecond. */
  public static final int CHUNK = 32;

  public TrialPlan {
    phases = List.copyOf(phases);
    chunks = Map.copyOf(chunks);
  }

  /** Makes one of which nothing is recorded. */
  public TrialPlan(
      Configuration configuration,
      int number,
      long seed,
      String directory,
      DataSpec data,
      @Nullable Source source,
      List<PhaseSpec> phases,
      double warmUpSeconds,
      Map<String, Integer> chunks,
      boolean turns) {
    this(
        configuration,
        number,
        seed,
        directory,
        data,
        source,
        phases,
        warmUpSeconds,
        chunks,
        turns,
        null);
  }

  /**
   * Phases of which a recording of JFR is made.
   *
   * @param directory which is there, for a file of each phase
   */
  public record Profiling(List<String> phases, String directory) {
    /** Events of threads that wait for something other than a processor. */
    public static final List<String> WAITS =
        List.of(
            "jdk.JavaMonitorEnter",
            "jdk.ThreadPark",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.FileForce");

    /** The recording of one of the phases. */
    public Path file(String phase) {
      return Path.of(directory, "profile-" + (phases.indexOf(phase) + 1) + ".jfr");
    }
  }

  public Path storeDirectory(String name) {
    return Path.of(directory, name);
  }
}
