package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The standing in the middle of a run: a line for each phase, highest median rate first; of a
 * sweep, only at its last point.
 */
public final class Ranking {
  private Ranking() {}

  /** The lines, or none as long as a configuration has not had its first trial. */
  public static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    for (ExperimentResult experiment : results.experiments()) {
      if (!everyoneRan(experiment)) {
        return List.of();
      }
    }
    List<Section> sections =
        Sweeps.of(Report.of(results).sections()).stream().map(List::getLast).toList();
    for (Section section : sections) {
      String of = sections.size() == 1 ? "" : Ink.clean(section.experiment().name()) + ", ";
      for (Division division : section.divisions()) {
        int trials =
            division.boards().stream()
                .flatMap(board -> board.cells().stream())
                .mapToInt(cell -> cell.rate().n())
                .min()
                .orElse(0);
        lines.add(
            "So far, "
                + of
                + "after "
                + trials
                + (trials == 1 ? " trial" : " trials")
                + " ("
                + division.group()
                + "):");
        for (Board board : division.boards()) {
          if (!board.single()) {
            lines.add(line(board));
          }
        }
      }
    }
    return lines;
  }

  private static boolean everyoneRan(ExperimentResult experiment) {
    for (ConfigurationResult configuration : experiment.configurations()) {
      if (configuration.skipped() == null && configuration.trials().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static String line(Board board) {
    String cells =
        board.cells().stream()
            .map(cell -> cell.configuration() + " " + board.figure(cell))
            .collect(Collectors.joining(" > "));
    return "  " + Ink.left(board.phase(), 12) + " " + cells;
  }
}
