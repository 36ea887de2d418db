package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Moderation.Variance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hipparchus.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * One configuration's trials of one phase. Each has one value; samples inside it are correlated.
 *
 * @param logs trial number → logarithm of its speed
 */
record Cell(String phase, String name, Map<Integer, Double> logs) {
  /** Makes a cell from speeds by trial number. */
  static Cell of(String phase, String name, Map<Integer, Double> speeds) {
    Map<Integer, Double> logs = new TreeMap<>();
    speeds.forEach((number, speed) -> logs.put(number, log(speed)));
    return new Cell(phase, name, logs);
  }

  /** Returns a copy with only the trials of these numbers. */
  Cell at(Set<Integer> numbers) {
    Map<Integer, Double> some = new TreeMap<>(logs);
    some.keySet().retainAll(numbers);
    return new Cell(phase, name, some);
  }

  int n() {
    return logs.size();
  }

  /** The logarithm of a rate or time. */
  static double log(double figure) {
    if (!(figure > 0) || Double.isInfinite(figure)) {
      throw new IllegalArgumentException(
          "figure " + figure + " has no logarithm: rates and times are positive and finite");
    }
    return Math.log(figure);
  }

  private double[] values() {
    return logs.values().stream().mapToDouble(each -> each).toArray();
  }

  private double mean() {
    return StatUtils.mean(values());
  }

  private double variance() {
    return StatUtils.variance(values());
  }

  /**
   * The variances of the cells that have two trials.
   *
   * @param apart phases whose variances are of another kind
   */
  static Map<Cell, Variance> variances(List<Cell> cells, Set<String> apart) {
    return variances(cells, apart, Map.of());
  }

  /**
   * The same without what the rounds did to all, for ratios of cells that ran in the same rounds.
   */
  static Map<Cell, Variance> variancesWithinRounds(List<Cell> cells, Set<String> apart) {
    Map<String, RoundEffects> effects = new HashMap<>();
    cells.stream()
        .collect(Collectors.groupingBy(Cell::phase))
        .forEach((phase, family) -> effects.put(phase, new RoundEffects(family)));
    effects.keySet().removeAll(apart);
    return variances(cells, apart, effects);
  }

  private static Map<Cell, Variance> variances(
      List<Cell> cells, Set<String> apart, Map<String, RoundEffects> effects) {
    Map<String, Integer> phases = new HashMap<>();
    Map<String, Integer> names = new HashMap<>();
    List<Cell> together = new ArrayList<>();
    List<Variance> known = new ArrayList<>();
    Map<Cell, Variance> variances = new HashMap<>();
    for (Cell cell : cells) {
      if (cell.n() < 2) {
        continue;
      }
      int row = phases.computeIfAbsent(cell.phase, _ -> phases.size());
      int column = names.computeIfAbsent(cell.name, _ -> names.size());
      RoundEffects own = effects.get(cell.phase);
      int freedom = cell.n() - 1;
      Variance variance =
          own != null && own.tell(cell)
              ? new Variance(row, column, own.variance(cell), freedom * own.left(cell))
              : new Variance(row, column, cell.variance(), freedom);
      variances.put(cell, variance);
      if (!apart.contains(cell.phase)) {
        together.add(cell);
        known.add(variance);
      }
    }
    List<Variance> moderated = Moderation.of(known);
    for (int i = 0; i < together.size(); i++) {
      variances.put(together.get(i), moderated.get(i));
    }
    return variances;
  }

  /** The interval of its own geometric mean, or {@code null} if it has one trial. */
  @Nullable Interval interval(Map<Cell, Variance> variances) {
    Contrast own = contrast(variances);
    return own == null ? null : own.interval(Estimate.LEVEL);
  }

  /** Its mean against 1, or {@code null} if it has one trial. */
  @Nullable Contrast contrast(Map<Cell, Variance> variances) {
    Variance own = variances.get(this);
    return own == null ? null : new Contrast(mean(), Math.sqrt(own.value() / n()), own.freedom());
  }

  /** The ratios to those trials of another that ran in the same rounds. */
  Cell over(Cell other) {
    Map<Integer, Double> ratios = new TreeMap<>(logs);
    ratios.keySet().retainAll(other.logs.keySet());
    ratios.replaceAll((round, log) -> log - other.logs.getOrDefault(round, log));
    return new Cell(phase, name, ratios);
  }

  /**
   * The contrast of this cell with another one over all trials of each, or {@code null} if there
   * are too few.
   */
  @Nullable Contrast against(Cell other, Map<Cell, Variance> variances) {
    return contrast(this, variances.get(this), other, variances.get(other));
  }

  /** The same over the trials that both have, which saw the same state of the machine. */
  @Nullable Contrast inCommon(Cell other, Map<Cell, Variance> variances) {
    Cell own = at(other.logs.keySet());
    return contrast(own, variances.get(this), other.at(logs.keySet()), variances.get(other));
  }

  private static @Nullable Contrast contrast(
      Cell own, @Nullable Variance variance, Cell other, @Nullable Variance theirs) {
    return own.n() < 2 || variance == null || theirs == null
        ? null
        : Contrast.unpaired(own.mean(), own.n(), variance, other.mean(), other.n(), theirs);
  }
}
