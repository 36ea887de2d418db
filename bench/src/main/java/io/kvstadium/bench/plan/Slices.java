package io.kvstadium.bench.plan;

import io.kvstadium.bench.machine.Stopped;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.text.Units;
import org.jspecify.annotations.Nullable;

/**
 * Whether the trials of a round can live at the same time and share it in short turns, so that what
 * disturbs the machine for a while meets all of them alike.
 */
public final class Slices {
  /** What a virtual machine and an engine use beside the heap and the data. */
  private static final long OUTSIDE_HEAP = 384L << 20;

  /** A store, its copy in memory, and what writing leaves for a while. */
  private static final int DATA_FACTOR = 3;

  private Slices() {}

  /**
   * Why all trials of a round must have the machine to themselves, or {@code null} if none must.
   *
   * @param memory of the machine, in bytes
   * @param disk bytes that are free where the stores will be
   */
  public static @Nullable String whyNot(Plan plan, long memory, long disk) {
    if (!Stopped.isPossible()) {
      return "processes cannot be stopped on this system";
    }
    for (Experiment each : plan.suite().experiments()) {
      String reason = whyNot(plan, each, memory, disk);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  private static @Nullable String whyNot(Plan plan, Experiment experiment, long memory, long disk) {
    int trials = experiment.configurations().size();
    double data = experiment.data().approximateBytes();
    double needed = trials * (plan.suite().heap() + OUTSIDE_HEAP + DATA_FACTOR * data);
    if (experiment.memory() > 0) {
      return "each has its own limit of memory";
    } else if (experiment.phases().stream()
        .anyMatch(each -> each.operation() == Operation.REPLAY)) {
      return "a replay is not cut";
    } else if (experiment.configurations().stream().anyMatch(Configuration::hasServer)) {
      return "a server is not stopped with its trial";
    } else if (experiment.configurations().stream()
        .anyMatch(each -> !each.language().equals(Configuration.JAVA))) {
      return "players of other languages are not cut";
    } else if (needed > memory / 2.0) {
      return "all at once need about %s, more than half of the memory"
          .formatted(Units.bytes(needed));
    } else if (trials * DiskSpaceCheck.SPACE_FACTOR * data > disk) {
      return "there is no room on the disk for all stores at once";
    }
    return null;
  }
}
