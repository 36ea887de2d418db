package io.kvstadium.bench.run;

import io.kvstadium.bench.plan.MinDuration;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.result.FarBehind;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which trials of a plan run. If their number is fixed, all of them do. Under a budget
 * rounds follow each other as long as they fit, and the last has as many trials as fit. A
 * configuration that failed, or that the first round showed to be {@link FarBehind}, has no more.
 * This follows from the results alone, so that a resumed run decides the same.
 */
final class Rounds {
  /** One trial says nothing about noise. */
  static final int MIN = MinDuration.MIN_ROUNDS;

  private final Plan plan;
  private final Map<Entrant, Double> seconds = new HashMap<>();
  private final double mean; // seconds of a trial, for one that has had none here
  private Map<Entrant, String> out;
  private boolean ended;

  private record Entrant(int experiment, String configuration) {
    static Entrant of(PlannedTrial trial) {
      return new Entrant(trial.experiment(), trial.configuration().name());
    }
  }

  /**
   * @param before the results of an interrupted run, or {@code null}
   */
  Rounds(Plan plan, @Nullable Results before) {
    this.plan = plan;
    this.out = before == null ? Map.of() : out(before);
    long done =
        before == null
            ? 0
            : plan.entrants().stream().mapToLong(each -> trials(each, before).count()).sum();
    this.mean = before == null || done == 0 ? 0 : before.seconds() / done;
  }

  /** Returns how many configurations the next round would have. */
  int present() {
    return (int) plan.entrants().stream().filter(this::isIn).count();
  }

  private boolean isIn(PlannedTrial trial) {
    return !out.containsKey(Entrant.of(trial));
  }

  /**
   * Returns the missing trials of a round, in their order, or {@code null} if it does not take
   * place. If the budget has no room left for all of them, the run ends with as many as fit.
   *
   * @param elapsed seconds since the run began
   * @param results so far
   */
  @Nullable List<PlannedTrial> next(int round, double elapsed, Results results) {
    if (round > plan.rounds() || present() == 0 || ended) {
      return null;
    }
    List<PlannedTrial> all = plan.round(round).stream().filter(this::isIn).toList();
    List<PlannedTrial> missing = all.stream().filter(each -> !isThere(each, results)).toList();
    if (!plan.hasBudget() || round <= MIN || missing.isEmpty()) {
      return missing;
    }
    List<PlannedTrial> fitting = fitting(missing, plan.suite().budget() - elapsed);
    ended = fitting.size() < missing.size();
    boolean comparable = all.size() - missing.size() + fitting.size() >= MIN;
    return !ended || comparable ? fitting : null;
  }

  /** Returns whether a trial is among the results. */
  static boolean isThere(PlannedTrial planned, Results results) {
    return trials(planned, results).anyMatch(trial -> trial.number() == planned.number());
  }

  private static Stream<TrialResult> trials(PlannedTrial planned, Results results) {
    return results.experiments().get(planned.experiment()).configurations().stream()
        .filter(each -> each.name().equals(planned.configuration().name()))
        .flatMap(each -> each.trials().stream());
  }

  /** Returns as many as the time allows, in their order, so that no figure influences which. */
  private List<PlannedTrial> fitting(List<PlannedTrial> trials, double room) {
    List<PlannedTrial> fitting = new ArrayList<>();
    double left = room;
    for (PlannedTrial each : trials) {
      double takes = seconds.getOrDefault(Entrant.of(each), mean);
      if (takes <= left) {
        fitting.add(each);
        left -= takes;
      }
    }
    return fitting;
  }

  /** Records how long a trial took in all. */
  void took(PlannedTrial trial, double all) {
    seconds.put(Entrant.of(trial), all);
  }

  /**
   * Called when a round has ended.
   *
   * @return who has no more trials from here on, and why
   */
  List<String> ended(Results results) {
    Map<Entrant, String> now = out(results);
    Map<String, List<String>> gone = new LinkedHashMap<>();
    now.forEach((entrant, why) -> {
      if (!out.containsKey(entrant)) {
        gone.computeIfAbsent(why, _ -> new ArrayList<>()).add(entrant.configuration);
      }
    });
    out = now;
    return gone.entrySet().stream()
        .map(each ->
            each.getValue().stream().distinct().collect(Collectors.joining(", "))
                + " ("
                + each.getKey()
                + ")")
        .toList();
  }

  /** Returns who has no more trials, with the reason. */
  private Map<Entrant, String> out(Results results) {
    Map<Entrant, String> gone = new LinkedHashMap<>();
    if (!plan.hasBudget()) {
      return gone;
    }
    for (PlannedTrial each : plan.entrants()) {
      String name = each.configuration().name();
      if (trials(each, results).anyMatch(trial -> trial.failure() != null)) {
        gone.put(Entrant.of(each), "failed");
      } else if (FarBehind.of(results.experiments().get(each.experiment())).containsKey(name)) {
        gone.put(Entrant.of(each), "far behind");
      }
    }
    return gone;
  }
}
