package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Spent;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Where the time of a run went. */
final class Course {
  private Course() {}

  /** Where the time of all trials went, if known. */
  static List<Term> time(Results results) {
    List<TrialResult> trials =
        results.experiments().stream()
            .flatMap(each -> each.configurations().stream())
            .flatMap(each -> each.trials().stream())
            .filter(each -> each.spent() != null)
            .toList();
    if (trials.isEmpty()) {
      return List.of();
    }
    Map<String, Double> parts = new LinkedHashMap<>();
    double known = 0;
    for (TrialResult trial : trials) {
      Spent spent = Objects.requireNonNull(trial.spent());
      double timed = trial.phases().stream().mapToDouble(Course::seconds).sum();
      parts.merge("timed", timed, Double::sum);
      parts.merge("making and checking data", Math.max(0, spent.phases() - timed), Double::sum);
      parts.merge("warm-up", spent.warmUp(), Double::sum);
      parts.merge("starts", spent.start(), Double::sum);
      parts.merge("opening, settling, syncs and sizes", spent.rest(), Double::sum);
      known += spent.phases() + spent.warmUp() + spent.start() + spent.rest();
    }
    parts.put("the harness, and between trials", Math.max(0, results.seconds() - known));
    List<String> shares = new ArrayList<>();
    parts.forEach(
        (what, seconds) -> shares.add(what + " " + Units.percent(seconds / results.seconds())));
    return List.of(
        new Term(
            "Time",
            String.format(
                Locale.ROOT,
                "%.0f s for %d trials: %s.",
                results.seconds(),
                trials.size(),
                String.join(", ", shares))));
  }

  /** The seconds of the phase itself; phases of one call count as the rest. */
  private static double seconds(PhaseResult phase) {
    return Trials.workload(phase.name()) ? phase.nanos() / 1e9 : 0;
  }
}
