package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import java.util.Locale;

/** Words for where and how something was measured. */
final class Circumstances {
  private Circumstances() {}

  static String machine(Machine machine) {
    return machine.cpu()
        + ", "
        + machine.cores()
        + (machine.cores() == 1 ? " core, " : " cores, ")
        + Units.bytes(machine.memoryBytes())
        + " of memory, "
        + machine.fileSystem()
        + " on "
        + machine.device()
        + ", "
        + machine.system()
        + ", Java "
        + machine.java();
  }

  static String audit(Audit audit) {
    return "The harness itself costs "
        + Units.time(audit.timedNanos())
        + " per timed operation and "
        + Units.time(audit.batchedNanos())
        + " per batched one, a clock read "
        + Units.time(audit.timerNanos())
        + "; its own p99.9 is "
        + Units.time(audit.p999Nanos())
        + " (null engine, same run).";
  }

  static String run(Results results) {
    return "Stadium "
        + results.stadium()
        + ", started "
        + results.started()
        + ", took "
        + seconds(results.seconds())
        + ", seed "
        + results.seed()
        + ": "
        + results.command();
  }

  static String seconds(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%d min %02d s", (long) seconds / 60, (long) seconds % 60);
  }

  static String bytes(double bytes) {
    return Double.isNaN(bytes) ? "–" : Units.bytes(bytes);
  }
}
