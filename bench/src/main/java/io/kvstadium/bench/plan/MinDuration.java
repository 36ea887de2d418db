package io.kvstadium.bench.plan;

import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Durability;
import java.util.List;
import java.util.Map;

/**
 * About how long a run takes at least, from its plan alone: trials of engines that load as fast as
 * most do on a machine that is otherwise idle.
 */
public final class MinDuration {
  /** One trial says nothing about noise: under a budget each configuration has two. */
  public static final int MIN_ROUNDS = 2;

  /** To begin a run, with the harness' own measuring. */
  private static final double BEGIN = 5;

  /** To start a process, open, reopen, settle and close. */
  private static final double TRIAL = 1.5;

  private static final double BYTES_PER_SECOND = 25e6;
  private static final double ENTRIES_PER_SECOND = 200e3;
  private static final double OPERATIONS_PER_SECOND = 200e3;

  /** Of writes that each wait for the device. */
  private static final double SAFE_WRITES_PER_SECOND = 1_000;

  /** Seconds of a search for a rate. */
  private static final double SEARCH = 10;

  /** Less of the user's own data says too little about all of it. */
  private static final long MIN_BYTES = 16L << 20;

  private MinDuration() {}

  /** Seconds of all rounds, or under a budget of the two that it has at least. */
  public static double of(Plan plan) {
    return BEGIN + (plan.hasBudget() ? MIN_ROUNDS : plan.rounds()) * round(plan);
  }

  private static double round(Plan plan) {
    double all = 0;
    for (PlannedTrial each : plan.entrants()) {
      Experiment experiment = plan.suite().experiments().get(each.experiment());
      all += TRIAL + plan.warmUpSeconds();
      boolean loaded = false;
      for (PhaseSpec phase : each.phases()) {
        boolean loads = phase.operation().loads();
        all += seconds(phase, each.configuration().durability(), experiment.data());
        loaded |= loads;
      }
      all += loaded ? 0 : load(experiment.data()); // before the first phase
    }
    return all;
  }

  private static double seconds(PhaseSpec phase, Durability usual, DataSpec data) {
    if (phase.seconds() > 0) {
      return phase.seconds();
    } else if (phase.rate() != null && phase.rate().searches()) {
      return SEARCH;
    } else if (phase.operation().loads() && phase.operations() == 0) {
      return load(data);
    }
    boolean safe =
        (phase.durability() == null ? usual : phase.durability()) == Durability.POWER
            && phase.operation().writes(phase.shape());
    long operations = phase.operations() > 0 ? phase.operations() : data.records();
    return operations / (safe ? SAFE_WRITES_PER_SECOND : OPERATIONS_PER_SECOND);
  }

  private static double load(DataSpec data) {
    return data.approximateBytes() / BYTES_PER_SECOND + data.records() / ENTRIES_PER_SECOND;
  }

  /**
   * One of how many of the user's entries to measure so that their copy and two rounds fit into the
   * budget: 1 if all do, or if there is no budget. The same data and plan have the same, however
   * fast the machine is at the moment: runs that measure other samples cannot be compared.
   *
   * @param small the plan without the time that the data take
   * @param bytes of all entries
   */
  public static int oneOf(Plan small, long bytes) {
    if (!small.hasBudget()) {
      return 1;
    }
    double left = small.suite().budget() - bytes / BYTES_PER_SECOND - of(small);
    double perLoad = left / MIN_ROUNDS / Math.max(1, loads(small));
    double fitting = Math.max(MIN_BYTES, perLoad * BYTES_PER_SECOND);
    return (int) Math.clamp(Math.ceil(bytes / fitting), 1, Integer.MAX_VALUE);
  }

  /** Seconds that all loads of so many bytes take more than none. */
  public static double loads(Plan small, long bytes) {
    return bytes / BYTES_PER_SECOND * MIN_ROUNDS * loads(small);
  }

  /** How often a round loads everything. */
  private static long loads(Plan plan) {
    return plan.entrants().stream()
        .mapToLong(each ->
            Math.max(
                1,
                each.phases().stream()
                    .filter(phase -> phase.operation().loads() && phase.operations() == 0)
                    .count()))
        .sum();
  }

  /** A plan's stand-in for the user's own data, which take no time. */
  public static UserData nothing() {
    return new UserData(DataSpec.of(1_000, "random-bytes:16", "100"), 16, Map.of(), List.of());
  }
}
