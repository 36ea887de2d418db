package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One phase's ranking within a group of comparable configurations.
 *
 * @param phase its name
 * @param measure by what they are compared: {@code rate}, {@code time}, or in words
 * @param single whether that is a time, as of a phase that is one operation, such as {@code open}
 * @param cells highest median rate first; those without figures are absent
 * @param sentence the verdict in a plain sentence
 */
public record Board(
    String phase, String measure, boolean single, List<Cell> cells, String sentence) {
  public Board {
    cells = List.copyOf(cells);
  }

  /** The cell of a configuration, or {@code null} if it has no figures here. */
  public @Nullable Cell cell(String configuration) {
    for (Cell cell : cells) {
      if (cell.configuration().equals(configuration)) {
        return cell;
      }
    }
    return null;
  }

  /** Whether its operations started at a fixed rate. */
  public boolean paced() {
    return cells.stream().anyMatch(cell -> cell.pacing() != null);
  }

  /** Whether the first was shown to be faster than every other one. */
  public boolean decided() {
    return cells.size() > 1
        && cells.stream().skip(1).allMatch(cell -> cell.verdict() instanceof Verdict.Slower);
  }

  /** The median in the phase's unit: a time if it is a single operation, else a rate. */
  public String figure(Cell cell) {
    return single ? Units.time(1e9 / cell.rate().median()) : Units.rate(cell.rate().median());
  }

  /** The interval in the phase's unit, or an empty text if there is none. */
  public String interval(Cell cell) {
    var interval = cell.rate().interval();
    if (interval == null) {
      return "";
    }
    return single
        ? Units.time(1e9 / interval.high()) + " to " + Units.time(1e9 / interval.low())
        : Units.rate(interval.low()) + " to " + Units.rate(interval.high());
  }

  /** The verdict's words, or what the first one is called. */
  public String standing(Cell cell) {
    if (cell.verdict() != null) {
      return cell.verdict().words();
    }
    if (cells.size() == 1) {
      return "alone";
    }
    return decided() ? "fastest" : "best median";
  }
}
