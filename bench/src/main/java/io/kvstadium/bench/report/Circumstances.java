package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Words for where and how something was measured. */
final class Circumstances {
  /** How to read the intervals of any report. */
  static final String INTERVALS =
      "Medians are over trials; each trial ran in its own process. Intervals are Student's at 95 %,"
          + " on logarithms. Ratios compare trials that saw the same data, paired by number. Each"
          + " verdict holds at 95 % by itself: one in twenty may be wrong. A percentile is shown"
          + " only if each sample is one operation and 10 samples lie beyond it.";

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
    String tail =
        audit.p999Nanos() < 0 ? "" : "; its own p99.9 is " + Units.time(audit.p999Nanos());
    return "The harness itself costs "
        + Units.time(audit.timedNanos())
        + " per timed operation and "
        + Units.time(audit.batchedNanos())
        + " per batched one, a clock read "
        + Units.time(audit.timerNanos())
        + tail
        + slip(audit)
        + " (null engine, same run).";
  }

  private static String slip(Audit audit) {
    if (audit.slipNanos() < 0) {
      return "";
    }
    String tail = audit.slipP99Nanos() < 0 ? "" : " (p99 " + Units.time(audit.slipP99Nanos()) + ")";
    return "; its pacer starts operations " + Units.time(audit.slipNanos()) + " late" + tail;
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

  /** For each phase that was to begin cold, how its caches were emptied and what was left. */
  static Map<String, String> cold(ExperimentResult experiment) {
    Map<String, List<Caches>> byPhase = new LinkedHashMap<>();
    for (ConfigurationResult configuration : experiment.configurations()) {
      for (TrialResult trial : Trials.good(configuration)) {
        for (PhaseResult phase : trial.phases()) {
          if (phase.caches() != null) {
            byPhase.computeIfAbsent(phase.name(), _ -> new ArrayList<>()).add(phase.caches());
          }
        }
      }
    }
    Map<String, String> words = new LinkedHashMap<>();
    byPhase.forEach((phase, caches) -> words.put(phase, cold(caches)));
    return words;
  }

  private static String cold(List<Caches> caches) {
    Set<String> ways = new LinkedHashSet<>();
    caches.forEach(each ->
        ways.add(
            each.dropped().equals("none") ? "caches not emptied" : "cold via " + each.dropped()));
    double most = caches.stream().mapToDouble(Caches::resident).max().orElse(-1);
    return String.join(" and ", ways)
        + (most < 0
            ? "; what stayed in memory is not known"
            : "; at most " + Units.percent(most) + " of the files was in memory");
  }

  static String seconds(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%d min %02d s", (long) seconds / 60, (long) seconds % 60);
  }
}
