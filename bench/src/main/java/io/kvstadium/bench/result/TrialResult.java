package io.kvstadium.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of one configuration in a fresh process on a fresh directory.
 *
 * @param number from 1
 * @param seed what its keys and values were made from
 * @param failure why it has no figures, or {@code null}
 * @param phases in order; those before a failure may be there and are not figures
 * @param card what it cost beside time
 * @param spent what its process did with its time, or {@code null} where it did not say
 * @param network how its clients reached a store outside of their processes; {@code null} for one
 *     inside, and where it is not known
 */
public record TrialResult(
    int number,
    long seed,
    @Nullable String failure,
    List<PhaseResult> phases,
    CostCard card,
    @Nullable Spent spent,
    @Nullable Network network) {
  /** One whose store is in its process. */
  public TrialResult(
      int number,
      long seed,
      @Nullable String failure,
      List<PhaseResult> phases,
      CostCard card,
      @Nullable Spent spent) {
    this(number, seed, failure, phases, card, spent, null);
  }

  /** One of a process that did not say what it did with its time. */
  public TrialResult(
      int number, long seed, @Nullable String failure, List<PhaseResult> phases, CostCard card) {
    this(number, seed, failure, phases, card, null);
  }

  public TrialResult {
    phases = List.copyOf(phases);
  }

  /** With another card. */
  public TrialResult with(CostCard other) {
    return new TrialResult(number, seed, failure, phases, other, spent, network);
  }

  /** One without figures. */
  public static TrialResult failed(int number, long seed, String why) {
    return new TrialResult(number, seed, why, List.of(), CostCard.UNKNOWN);
  }
}
