package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The standing in the middle of a run: a line for each phase, with ranks, which those that are not
 * told apart share; of a sweep, only at its last point.
 */
public final class LiveRanking {
  private LiveRanking() {}

  /** The lines, or none as long as a configuration has not had its first trial. */
  public static List<String> lines(Results results) {
    List<String> lines = new ArrayList<>();
    for (ExperimentResult experiment : results.experiments()) {
      if (!everyoneRan(experiment)) {
        return List.of();
      }
    }
    List<ExperimentReport> sections =
        Report.of(results).chapters().stream().map(List::getLast).toList();
    for (ExperimentReport section : sections) {
      String of = sections.size() == 1 ? "" : Ink.clean(section.experiment().name()) + ", ";
      for (ComparisonGroup group : section.groups()) {
        int trials =
            group.rankings().stream()
                .flatMap(ranking -> ranking.standings().stream())
                .mapToInt(standing -> standing.rate().n())
                .min()
                .orElse(0);
        String after = trials + (trials == 1 ? " trial" : " trials");
        lines.add("So far, %safter %s (%s):".formatted(of, after, group.group()));
        group.rankings().stream()
            .filter(own -> !own.single())
            .map(LiveRanking::line)
            .forEach(lines::add);
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

  private static String line(PhaseRanking ranking) {
    String standings =
        ranking.standings().stream()
            .map(own -> own.rank() + " " + own.configuration() + " " + own.figure().text())
            .collect(Collectors.joining(", "));
    return "  " + Ink.left(ranking.phase(), 12) + " " + standings;
  }
}
