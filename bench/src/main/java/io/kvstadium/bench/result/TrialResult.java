package io.kvstadium.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of one configuration in a fresh process on a fresh directory.
 *
 * @param number from 1
 * @param seed the seed of its keys and values
 * @param failure why it has no figures; {@code null} if it has
 * @param phases in order; those before a failure may be present, but do not count as figures
 * @param card what it cost besides time
 */
public record TrialResult(
    int number, long seed, @Nullable String failure, List<PhaseResult> phases, CostCard card) {
  public TrialResult {
    phases = List.copyOf(phases);
  }

  /** Makes a result without figures. */
  public static TrialResult failed(int number, long seed, String why) {
    return new TrialResult(number, seed, why, List.of(), CostCard.UNKNOWN);
  }
}
