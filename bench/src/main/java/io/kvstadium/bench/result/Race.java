package io.kvstadium.bench.result;

import io.kvstadium.bench.stats.Boards.Look;
import java.util.List;

/**
 * How the number of trials was decided, if it was not fixed beforehand.
 *
 * @param budgetSeconds the time that the run had, or 0 if trials were added to a fixed number
 * @param looks the heats after which verdicts were reached, and the levels
 */
public record Race(double budgetSeconds, List<Look> looks) {
  public Race {
    looks = List.copyOf(looks);
  }
}
