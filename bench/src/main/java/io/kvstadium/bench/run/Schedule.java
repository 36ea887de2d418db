package io.kvstadium.bench.run;

import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.result.Results;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which trials of a plan run, and in which order. What it decides follows from the results
 * and the time alone, so that a campaign that was interrupted goes on as it would have.
 *
 * <p>The trials of one answer run one after the other, each to its end, or share the time in turns
 * if the schedule allows that and they can.
 */
public interface Schedule {
  /**
   * The next trials, or none if all have run. It is asked again when these have ended.
   *
   * @param soFar with the trials of an interrupted run, which must not be named again
   * @param elapsed since the campaign began
   */
  List<PlannedTrial> next(Results soFar, Duration elapsed);

  /** Whether the trials of one answer may share the time. */
  default boolean sharesTime() {
    return false;
  }

  /** A trial has ended. */
  default void ended(PlannedTrial trial, Duration took) {}

  /** The trials of the last answer have ended; {@code null} if there is nothing to say. */
  default @Nullable Round ended(Results soFar) {
    return null;
  }

  /**
   * A round that has ended.
   *
   * @param number from 1
   * @param left who has no more trials after it, and why
   * @param present how many configurations the next one would have
   */
  record Round(int number, List<String> left, int present) {}

  /** Whether a trial is among the results. */
  static boolean isThere(PlannedTrial planned, Results results) {
    return planned.in(results).anyMatch(trial -> trial.number() == planned.number());
  }
}
