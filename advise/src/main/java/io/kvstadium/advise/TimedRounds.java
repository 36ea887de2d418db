package io.kvstadium.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.run.Schedule;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;

/** Rounds of a plan, trial by trial, as long as there is time. */
final class TimedRounds implements Schedule {
  /** The turn of those for which there may be no time. */
  static final int LATER = 2;

  private final Plan plan;
  private final double until;
  private final int max;
  private final int min;
  private final boolean whole;
  private final ToIntFunction<PlannedTrial> turn;
  private final Deque<PlannedTrial> rest = new ArrayDeque<>();
  private int round;
  private double roundBegan;
  private double longest;

  private TimedRounds(
      Plan plan, double until, int max, int min, boolean whole, ToIntFunction<PlannedTrial> turn) {
    this.plan = plan;
    this.until = until;
    this.max = max;
    this.min = min;
    this.whole = whole;
    this.turn = turn;
  }

  /**
   * A stage of a halving: who has an early turn has one trial in any case, and a round begins only
   * if one like that before fits.
   *
   * @param until seconds since the campaign began
   * @param min as many trials in any case
   * @param turn of each, below {@link #LATER} for early ones
   */
  static Schedule halving(Plan plan, double until, int min, ToIntFunction<PlannedTrial> turn) {
    return new TimedRounds(plan, until, 3, min, true, turn);
  }

  /** As many trials as fit, where the longest of those before is the measure. */
  static Schedule leaveOneOut(Plan plan, double until) {
    return new TimedRounds(plan, until, 10, 0, false, _ -> LATER);
  }

  @Override
  public List<PlannedTrial> next(Results soFar, Duration elapsed) {
    double now = elapsed.toNanos() / 1e9;
    while (!rest.isEmpty() || isAnother(now)) {
      if (rest.isEmpty()) {
        round++;
        roundBegan = now;
        // stable, so that each kind stays in random order
        plan.round(round).stream().sorted(Comparator.comparingInt(turn)).forEach(rest::add);
      }
      PlannedTrial trial = rest.remove();
      if (!Schedule.isThere(trial, soFar) && (fits(now) || isDue(trial, soFar))) {
        return List.of(trial);
      }
    }
    return List.of();
  }

  private boolean isAnother(double now) {
    return round < max && (!whole || round == 0 || now + (now - roundBegan) <= until);
  }

  private boolean fits(double now) {
    return now + (whole ? 0 : longest) <= until;
  }

  private boolean isDue(PlannedTrial trial, Results soFar) {
    return (round == 1 && turn.applyAsInt(trial) < LATER)
        || plan.entrants().stream().mapToLong(each -> each.in(soFar).count()).sum() < min;
  }

  @Override
  public void ended(PlannedTrial trial, Duration took) {
    longest = Math.max(longest, took.toNanos() / 1e9);
  }
}
