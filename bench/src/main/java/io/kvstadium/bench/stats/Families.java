package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Moderation.Variance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the trials of comparable configurations show: a family for each phase, on which every pair
 * is compared.
 *
 * <p>Each trial of a phase has one value, the logarithm of its speed. Its variance is the cell's
 * own, moderated by those of the other cells ({@link Moderation}). Two are compared by Welch's t
 * over the trials that both have, after removing what the rounds did to all alike ({@link
 * RoundEffects}). The comparisons of a family are judged together ({@link Holm}), so that among
 * families of equal engines no more than one in twenty names a difference.
 */
public final class Families {
  /** The share of families of equal engines that may name a difference. */
  public static final double LEVEL = 0.05;

  private final Map<String, Family> families;

  private Families(Map<String, Family> families) {
    this.families = families;
  }

  /**
   * Judges the trials.
   *
   * @param speeds phase → configuration → trial number → speed (higher is faster)
   * @param apart phases whose variances are of another kind, such as {@code open}: judged by
   *     Student's t
   */
  public static Families of(
      Map<String, ? extends Map<String, ? extends Map<Integer, Double>>> speeds,
      Set<String> apart) {
    Map<String, Family> families = new LinkedHashMap<>();
    Map<String, List<Cell>> phases = new LinkedHashMap<>();
    speeds.forEach((phase, configurations) -> phases.put(phase, cells(phase, configurations)));
    List<Cell> all = phases.values().stream().flatMap(List::stream).toList();
    Map<Cell, Variance> alone = Cell.variances(all, apart);
    Map<Cell, Variance> between = Cell.variancesWithinRounds(all, apart);
    phases.forEach((phase, cells) -> families.put(phase, family(cells, alone, between)));
    return new Families(families);
  }

  private static List<Cell> cells(
      String phase, Map<String, ? extends Map<Integer, Double>> configurations) {
    List<Cell> cells = new ArrayList<>();
    configurations.forEach((name, trials) -> {
      if (!trials.isEmpty()) {
        cells.add(Cell.of(phase, name, trials));
      }
    });
    return cells;
  }

  private static Family family(
      List<Cell> cells, Map<Cell, Variance> alone, Map<Cell, Variance> between) {
    Map<Family.Pair, Contrast> contrasts = new LinkedHashMap<>();
    Map<String, Interval> intervals = new LinkedHashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      Cell own = cells.get(i);
      Interval interval = own.interval(alone);
      if (interval != null) {
        intervals.put(own.name(), interval);
      }
      for (Cell other : cells.subList(0, i)) {
        Contrast contrast = own.inCommon(other, between);
        if (contrast != null) {
          contrasts.put(new Family.Pair(own.name(), other.name()), contrast);
        }
      }
    }
    return Family.of(contrasts, intervals);
  }

  /** The family of a phase, or an empty one. */
  public Family of(String phase) {
    return families.getOrDefault(phase, Family.EMPTY);
  }
}
