package io.kvstadium.bench.run;

import io.kvstadium.bench.report.Report;
import io.kvstadium.bench.result.Race;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Boards;
import io.kvstadium.bench.stats.Boards.Look;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which trials of a plan run. If their number is fixed, all of them do. In a race, as many
 * heats run as the budget holds, each with the configurations that are still in it; the last heat
 * has as many as fit. A configuration leaves when it fails, or when a look at the race tells it
 * apart from the leaders on every board. Decisions follow from the results alone, so that a resumed
 * run decides the same.
 */
final class Heats {
  /** One trial says nothing about noise. */
  static final int LEAST = 2;

  private static final int LEAST_RACE = 3;

  private final Plan plan;
  private final List<Look> looks = new ArrayList<>();
  private final Set<Entrant> left = new HashSet<>();
  private final Map<Entrant, Double> seconds = new HashMap<>();
  private final double mean; // seconds of a trial, for one that has had none here
  private boolean ended;

  private record Entrant(int experiment, String configuration) {
    static Entrant of(PlannedTrial trial) {
      return new Entrant(trial.experiment(), trial.configuration().name());
    }
  }

  /**
   * @param before the results of an interrupted run, or {@code null}
   */
  Heats(Plan plan, @Nullable Results before) {
    this.plan = plan;
    long done =
        before == null
            ? 0
            : plan.entrants().stream().mapToLong(each -> trials(each, before).count()).sum();
    mean =
        before == null || done == 0
            ? plan.heatSeconds() / plan.entrants().size()
            : before.seconds() / done;
    Race race = before == null ? null : before.race();
    if (before != null && race != null) {
      for (Look look : race.looks()) {
        looks.add(look);
        leave(before);
      }
      leaveFailed(before);
    }
  }

  /** Returns what must be recorded, or {@code null} if the number of trials is fixed. */
  @Nullable Race race() {
    return plan.races() || !looks.isEmpty() ? new Race(plan.suite().budget(), looks) : null;
  }

  boolean in(PlannedTrial trial) {
    return !left.contains(Entrant.of(trial));
  }

  /** Returns how many are in the race. */
  int present() {
    return (int) plan.entrants().stream().filter(this::in).count();
  }

  /**
   * Returns the missing trials of a heat, in their order, or {@code null} if it does not take
   * place. If the budget has no room left for all of them, the race ends with as many as fit.
   *
   * @param elapsed seconds since the run began
   * @param results so far
   */
  @Nullable List<PlannedTrial> next(int heat, double elapsed, Results results) {
    if (heat > plan.heats() || present() == 0 || ended) {
      return null;
    }
    List<PlannedTrial> all = plan.heat(heat).stream().filter(this::in).toList();
    List<PlannedTrial> missing = all.stream().filter(each -> !isThere(each, results)).toList();
    if (!plan.races() || heat <= LEAST || missing.isEmpty()) {
      return missing;
    }
    List<PlannedTrial> fitting = fitting(missing, plan.suite().budget() - elapsed);
    ended = fitting.size() < missing.size();
    boolean comparable = all.size() - missing.size() + fitting.size() >= LEAST;
    return !ended || comparable ? fitting : null;
  }

  private static boolean isThere(PlannedTrial planned, Results results) {
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
   * Called when a heat has ended.
   *
   * @param elapsed seconds since the run began
   * @return who left the race, and why
   */
  List<String> ended(int heat, double elapsed, Results results) {
    if (!plan.races()) {
      return List.of();
    }
    List<String> gone = new ArrayList<>();
    named(leaveFailed(results), "failed", gone);
    double level = Look.level(elapsed / plan.suite().budget());
    double last = looks.isEmpty() ? 0 : looks.getLast().level();
    if (isRace() && heat >= LEAST && level > last && level < Look.LAST) {
      looks.add(new Look(heat, level));
      named(leave(results), "told apart from the leaders", gone);
    }
    return gone;
  }

  private static void named(List<Entrant> entrants, String why, List<String> gone) {
    if (!entrants.isEmpty()) {
      gone.add(
          entrants.stream().map(Entrant::configuration).distinct().collect(Collectors.joining(", "))
              + " ("
              + why
              + ")");
    }
  }

  /** Called when the last heat has ended: takes the last look. */
  void over(int heats) {
    if (plan.races() ? !isRace() : looks.isEmpty() || looks.getLast().heats() >= heats) {
      return;
    }
    if (plan.races() && !looks.isEmpty() && looks.getLast().heats() == heats) {
      looks.removeLast(); // what it has decided, this one decides too
    }
    looks.add(new Look(heats, plan.races() ? Look.LAST : levelOfMore()));
  }

  /**
   * Returns the level of the look after trials were added to a completed run: half of the previous
   * one.
   */
  private double levelOfMore() {
    long ends = looks.stream().dropWhile(each -> each.level() < Look.LAST).count();
    return Math.scalb(Boards.LEVEL, -(int) ends);
  }

  private boolean isRace() {
    return plan.entrants().size() >= LEAST_RACE;
  }

  private List<Entrant> leaveFailed(Results results) {
    List<Entrant> gone = new ArrayList<>();
    for (PlannedTrial each : plan.entrants()) {
      boolean failed = trials(each, results).anyMatch(trial -> trial.failure() != null);
      if (failed && left.add(Entrant.of(each))) {
        gone.add(Entrant.of(each));
      }
    }
    return gone;
  }

  private List<Entrant> leave(Results results) {
    List<Entrant> gone = new ArrayList<>();
    for (int e = 0; e < results.experiments().size(); e++) {
      Set<String> contenders = Report.contenders(results.experiments().get(e), looks);
      for (PlannedTrial each : plan.entrants()) {
        if (each.experiment() == e
            && !contenders.contains(each.configuration().name())
            && left.add(Entrant.of(each))) {
          gone.add(Entrant.of(each));
        }
      }
    }
    return gone;
  }
}
