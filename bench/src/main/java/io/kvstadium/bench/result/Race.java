package io.kvstadium.bench.result;

import io.kvstadium.bench.stats.Boards.Look;
import java.util.List;

/**
 * How it came about how many trials there are, where that was not fixed beforehand.
 *
 * @param budgetSeconds the time that the run had, or 0 if it was a fixed number that was added to
 * @param looks after which heats verdicts were reached, and at which level
 */
public record Race(double budgetSeconds, List<Look> looks) {
  public Race {
    looks = List.copyOf(looks);
  }
}
