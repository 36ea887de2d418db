package io.kvstadium.bench.run;

import io.kvstadium.bench.plan.MinDuration;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.result.FarBehind;
import io.kvstadium.bench.result.Results;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides which trials of a plan run. If their number is fixed, all of them do. Under a budget
 * rounds follow each other as long as they fit, and the last has as many trials as fit. A
 * configuration that failed, or that the first round showed to be {@link FarBehind}, has no more.
 * This follows from the results alone, so that a resumed run decides the same.
 */
public final class Rounds implements Schedule {
  /** One trial says nothing about noise. */
  static final int MIN = MinDuration.MIN_ROUNDS;

  private final Plan plan;
  private final double since;
  private final Predicate<PlannedTrial> inUse;
  private final Map<Entrant, Double> seconds = new HashMap<>();
  private double mean; // seconds of a trial, for one that has had none here
  private Map<Entrant, String> out = Map.of();
  private int round;
  private boolean last;

  private record Entrant(int experiment, String configuration) {
    static Entrant of(PlannedTrial trial) {
      return new Entrant(trial.experiment(), trial.configuration().name());
    }
  }

  /**
   * @param since seconds of the campaign that were over when its first trial began
   * @param inUse what all others are compared with, so that one trial is not enough
   */
  public Rounds(Plan plan, double since, Predicate<PlannedTrial> inUse) {
    this.plan = plan;
    this.since = since;
    this.inUse = inUse;
  }

  private void begin(Results before) {
    out = out(before);
    long done = plan.entrants().stream().mapToLong(each -> each.in(before).count()).sum();
    mean = done == 0 ? 0 : (before.seconds() - since) / done;
  }

  private int present() {
    return (int) plan.entrants().stream().filter(this::isIn).count();
  }

  private boolean isIn(PlannedTrial trial) {
    return !out.containsKey(Entrant.of(trial));
  }

  /**
   * The missing trials of the next round, in their order. If the budget has no room left for all of
   * them, the run ends with as many as fit.
   */
  @Override
  public List<PlannedTrial> next(Results soFar, Duration elapsed) {
    if (round == 0) {
      begin(soFar);
    }
    List<PlannedTrial> trials = List.of();
    while (trials.isEmpty() && round < plan.rounds() && present() > 0 && !last) {
      round++;
      trials = trials(soFar, elapsed.toNanos() / 1e9);
    }
    return trials;
  }

  private List<PlannedTrial> trials(Results soFar, double elapsed) {
    List<PlannedTrial> all = plan.round(round).stream().filter(this::isIn).toList();
    List<PlannedTrial> missing =
        all.stream().filter(each -> !Schedule.isThere(each, soFar)).toList();
    if (!plan.hasBudget() || round <= MIN || missing.isEmpty()) {
      return missing;
    }
    List<PlannedTrial> fitting = fitting(missing, plan.suite().budget() - elapsed);
    last = fitting.size() < missing.size();
    boolean comparable = all.size() - missing.size() + fitting.size() >= MIN;
    return !last || comparable ? fitting : List.of();
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

  @Override
  public boolean sharesTime() {
    return true;
  }

  @Override
  public void ended(PlannedTrial trial, Duration took) {
    seconds.put(Entrant.of(trial), took.toNanos() / 1e9);
  }

  @Override
  public Round ended(Results soFar) {
    Map<Entrant, String> now = out(soFar);
    Map<String, List<String>> gone = new LinkedHashMap<>();
    now.forEach((entrant, why) -> {
      if (!out.containsKey(entrant)) {
        gone.computeIfAbsent(why, _ -> new ArrayList<>()).add(entrant.configuration);
      }
    });
    out = now;
    List<String> left =
        gone.entrySet().stream()
            .map(each ->
                each.getValue().stream().distinct().collect(Collectors.joining(", "))
                    + " ("
                    + each.getKey()
                    + ")")
            .toList();
    return new Round(round, left, present());
  }

  /** Returns who has no more trials, with the reason. */
  private Map<Entrant, String> out(Results results) {
    Map<Entrant, String> gone = new LinkedHashMap<>();
    if (!plan.hasBudget()) {
      return gone;
    }
    for (PlannedTrial each : plan.entrants()) {
      String name = each.configuration().name();
      if (each.in(results).anyMatch(trial -> trial.failure() != null)) {
        gone.put(Entrant.of(each), "failed");
      } else if (!inUse.test(each)
          && FarBehind.of(results.experiments().get(each.experiment())).containsKey(name)) {
        gone.put(Entrant.of(each), "far behind");
      }
    }
    return gone;
  }
}
