package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group on one screen: a row for each phase, a column for each configuration, the medians in
 * between. A star marks what was shown to be fastest, an equals sign what no difference from the
 * highest median was shown for.
 */
final class Overview {
  private static final int LEAST_PHASE = 14;
  private static final int CELL = 11;

  private Overview() {}

  /** The lines, the first of which is a head; none if there is too little, or it would not fit. */
  static List<String> lines(Division division) {
    List<String> names =
        division.configurations().stream()
            .filter(each ->
                division.boards().stream().anyMatch(board -> board.cell(each.name()) != null))
            .map(each -> Ink.clean(each.name()))
            .toList();
    int phases =
        division.boards().stream()
            .mapToInt(board -> Ink.clean(board.phase()).length() + 4)
            .reduce(LEAST_PHASE, Math::max);
    boolean fits = phases + names.size() * (CELL + 1) <= Ink.WIDTH;
    if (names.size() < 2 || !fits || names.stream().anyMatch(name -> name.length() > CELL)) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder(Ink.left("", phases));
    names.forEach(name -> head.append(Ink.right(name, CELL)).append(' '));
    lines.add(head.toString().stripTrailing());
    for (Board board : division.boards()) {
      StringBuilder row = row(board.phase(), phases);
      for (String name : names) {
        Cell cell = board.cell(name);
        row.append(Ink.right(cell == null ? "–" : board.figure(cell), CELL));
        row.append(cell == null ? " " : sign(board, cell));
      }
      lines.add(row.toString().stripTrailing());
    }
    OverallBoard overall = division.overall();
    if (overall != null && overall.places().size() > 1) {
      StringBuilder row = row("overall", phases);
      for (String name : names) {
        OverallBoard.Place place = overall.place(name);
        row.append(Ink.right(place == null ? "–" : Units.percent(place.relative()), CELL));
        row.append(place == null ? " " : sign(overall.decided(), place.verdict()));
      }
      lines.add(row.toString().stripTrailing());
    }
    return lines;
  }

  private static StringBuilder row(String phase, int width) {
    return new StringBuilder(Ink.left("  " + Ink.clean(phase), width));
  }

  /** The mark of a figure: {@code *}, {@code =} or a space. */
  static String sign(Board board, Cell cell) {
    return board.cells().size() < 2 ? " " : sign(board.decided(), cell.verdict());
  }

  private static String sign(boolean decided, @Nullable Verdict verdict) {
    return switch (verdict) {
      case null -> decided ? "*" : "=";
      case Verdict.Slower _, Verdict.Faster _ -> " ";
      default -> "=";
    };
  }
}
