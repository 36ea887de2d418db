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

/** Describes where and how something was measured. */
final class Circumstances {
  /** How to read the intervals of any report. */
  static final String INTERVALS =
      "Medians are over trials; each trial ran in its own process. Intervals are at 95 %, on"
          + " logarithms; the variance of each cell is steadied by those of all cells of its group."
          + " The verdicts of a board are judged together: among boards of equal engines, at most"
          + " one in twenty names any difference. A percentile is shown only if each sample is one"
          + " operation"
          + " and 10 samples lie beyond it.";

  private Circumstances() {}

  static String machine(Machine own) {
    String cores = own.cores() + (own.cores() == 1 ? " core" : " cores");
    String memory = Units.bytes(own.memoryBytes()) + " of memory";
    String disk = own.fileSystem() + " on " + own.device();
    return String.join(", ", own.cpu(), cores, memory, disk, own.system(), "Java " + own.java());
  }

  static String audit(Audit audit) {
    String tail = known("; its own p99.9 is %s", audit.p999Nanos());
    String slip = known("; its pacer starts operations %s late", audit.slipNanos());
    String worst = slip.isEmpty() ? "" : known(" (p99 %s)", audit.slipP99Nanos());
    return "The harness itself costs %s per timed operation and %s per batched one, a clock read %s"
            .formatted(
                Units.time(audit.timedNanos()),
                Units.time(audit.batchedNanos()),
                Units.time(audit.timerNanos()))
        + tail
        + slip
        + worst
        + " (null engine, same run)."
        + languages(audit);
  }

  private static String languages(Audit audit) {
    StringBuilder words = new StringBuilder();
    audit
        .languages()
        .forEach((language, own) ->
            words.append(
                " In %s it costs %s per timed operation and %s per batched one%s."
                    .formatted(
                        language,
                        Units.time(own.timedNanos()),
                        Units.time(own.batchedNanos()),
                        known("; its own p99.9 is %s", own.p999Nanos()))));
    return words.toString();
  }

  private static String known(String form, long nanos) {
    return nanos < 0 ? "" : form.formatted(Units.time(nanos));
  }

  static String run(Results own) {
    return "Stadium %s, started %s, took %s, seed %s: %s"
        .formatted(own.stadium(), own.started(), seconds(own.seconds()), own.seed(), own.command());
  }

  /**
   * For each phase that should begin cold, how its caches were emptied and what was left in them.
   */
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
    for (Caches each : caches) {
      boolean none = each.dropped().equals("none");
      ways.add(none ? "caches not emptied" : "cold via " + each.dropped());
    }
    double most = caches.stream().mapToDouble(Caches::resident).max().orElse(-1);
    return String.join(" and ", ways)
        + (most < 0
            ? "; what stayed in memory is not known"
            : "; at most " + Units.percent(most) + " of the files was in memory");
  }

  private static String seconds(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%d min %02d s", (long) seconds / 60, (long) seconds % 60);
  }
}
