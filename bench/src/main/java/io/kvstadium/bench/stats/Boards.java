package io.kvstadium.bench.stats;

import io.kvstadium.bench.stats.Moderation.Variance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the trials of comparable configurations show: a board for each phase, on which every pair is
 * compared.
 *
 * <p>Each trial of a phase has one value, the logarithm of its speed. Its variance is the cell's
 * own, moderated by those of the other cells ({@link Moderation}). Two are compared by Welch's t
 * over the trials that both have, after removing what the rounds did to all alike ({@link
 * RoundEffects}). The comparisons of a board are judged together ({@link Holm}), so that among
 * boards of equal engines no more than one in twenty names a difference.
 */
public final class Boards {
  /** The share of boards of equal engines that may name a difference. */
  public static final double LEVEL = 0.05;

  private final Map<String, Board> boards;

  private Boards(Map<String, Board> boards) {
    this.boards = boards;
  }

  /**
   * Judges the trials.
   *
   * @param speeds phase → configuration → trial number → speed (higher is faster)
   * @param apart phases whose variances are of another kind, such as {@code open}: judged by
   *     Student's t
   * @param level of each board: {@link #LEVEL} if all trials were planned from the start
   */
  public static Boards of(
      Map<String, ? extends Map<String, ? extends Map<Integer, Double>>> speeds,
      Set<String> apart,
      double level) {
    Map<String, Board> boards = new LinkedHashMap<>();
    Map<String, List<Cell>> phases = new LinkedHashMap<>();
    speeds.forEach((phase, configurations) -> phases.put(phase, cells(phase, configurations)));
    List<Cell> all = phases.values().stream().flatMap(List::stream).toList();
    Map<Cell, Variance> alone = Cell.variances(all, apart);
    Map<Cell, Variance> between = Cell.variancesWithinRounds(all, apart);
    phases.forEach((phase, cells) -> boards.put(phase, board(cells, alone, between, level)));
    return new Boards(boards);
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

  private static Board board(
      List<Cell> cells, Map<Cell, Variance> alone, Map<Cell, Variance> between, double level) {
    Map<Board.Pair, Contrast> contrasts = new LinkedHashMap<>();
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
          contrasts.put(new Board.Pair(own.name(), other.name()), contrast);
        }
      }
    }
    return Board.of(contrasts, intervals, level);
  }

  /** The board of a phase, or an empty one. */
  public Board of(String phase) {
    return boards.getOrDefault(phase, Board.EMPTY);
  }
}
