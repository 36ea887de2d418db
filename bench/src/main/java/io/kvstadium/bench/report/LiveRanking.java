package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import java.util.ArrayList;
import java.util.List;

/**
 * The ranking during a run: the table of ranks that the report will show, in its present state.
 * Those that are not told apart so far share a rank. Of a sweep, only the last point is shown.
 */
public final class LiveRanking {
  private LiveRanking() {}

  /** The lines; none until every configuration has had its first trial. */
  public static List<String> lines(Results results) {
    if (results.experiments().stream().anyMatch(each -> !everyoneRan(each))) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (List<ExperimentReport> chapter : Report.of(results).chapters()) {
      for (ComparisonGroup group : chapter.getLast().groups()) {
        lines.add("So far: " + group.title() + Summary.extent(group));
        lines.addAll(new Grid(new Ink(false), Summary.table(group)).lines());
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
}
