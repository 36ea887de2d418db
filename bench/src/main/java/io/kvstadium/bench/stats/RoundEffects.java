package io.kvstadium.bench.stats;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hipparchus.stat.StatUtils;

/**
 * What each round did to all cells of a family alike: a machine that slows down for a minute slows
 * all that run in that minute. Between two that ran in the same rounds it cancels, so it is not
 * part of the error of their ratio. It is fitted by least squares with a mean for each cell (R. A.
 * Fisher's randomized blocks).
 */
final class RoundEffects {
  /** With fewer cells in a round, the fit would cost more degrees of freedom than it gains. */
  static final int FEWEST_CELLS = 5;

  /** Needed for families with gaps; without gaps, the first iteration is exact. */
  private static final int ITERATIONS = 30;

  private final Map<Integer, Double> effects = new HashMap<>();
  private final Map<Integer, Integer> present = new HashMap<>();

  /**
   * @param family cells of one phase
   */
  RoundEffects(List<Cell> family) {
    family.forEach(
        cell -> cell.logs().keySet().forEach(round -> present.merge(round, 1, Integer::sum)));
    for (int i = 0; i < ITERATIONS; i++) {
      Map<Integer, Double> sums = new HashMap<>();
      for (Cell cell : family) {
        double mean = StatUtils.mean(without(cell));
        cell.logs().forEach((round, log) -> sums.merge(round, log - mean, Double::sum));
      }
      present.forEach((round, n) -> effects.put(round, sums.getOrDefault(round, 0.0) / n));
    }
  }

  private double[] without(Cell cell) {
    Map<Integer, Double> logs = new TreeMap<>(cell.logs());
    logs.replaceAll((round, log) -> log - effects.getOrDefault(round, 0.0));
    return logs.values().stream().mapToDouble(each -> each).toArray();
  }

  /** Whether enough others ran in each of its rounds. */
  boolean tell(Cell cell) {
    return cell.logs().keySet().stream()
        .allMatch(round -> present.getOrDefault(round, 0) >= FEWEST_CELLS);
  }

  /** The share of a cell's degrees of freedom that the fit leaves. */
  double left(Cell cell) {
    return cell.logs().keySet().stream()
        .mapToDouble(round -> 1 - 1.0 / present.getOrDefault(round, 1))
        .average()
        .orElseThrow();
  }

  /** The variance of a cell of two or more trials, without that of the rounds. */
  double variance(Cell cell) {
    return StatUtils.variance(without(cell)) / left(cell);
  }
}
