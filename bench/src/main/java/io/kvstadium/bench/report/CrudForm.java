package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Create, read, update and delete: milliseconds of six phases in each trial, their sum, and the
 * arithmetic means.
 */
final class CrudForm {
  /** The phases of the form, in order. Others are shown in the comparison only. */
  private static final List<String> PHASES =
      List.of("open", "write", "read", "update", "delete", "close");

  private CrudForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    List<Rows> blocks = new ArrayList<>();
    for (ExperimentResult experiment : experiments) {
      for (ConfigurationResult configuration : experiment.configurations()) {
        blocks.add(block(experiment, configuration));
      }
    }
    return List.of(
        new PublishedTable(
            "milliseconds per trial, and their average",
            "The total is the sum of the six phases, and missing where one is. Averages are"
                + " arithmetic means.",
            "configuration",
            Stream.concat(PHASES.stream(), Stream.of("total")).toList(),
            blocks,
            FormFigures.reasons(experiments)));
  }

  private static Rows block(ExperimentResult experiment, ConfigurationResult configuration) {
    List<Row> rows = new ArrayList<>();
    double[] sums = new double[PHASES.size() + 1];
    List<TrialResult> trials = Trials.good(configuration);
    for (TrialResult trial : trials) {
      double[] millis = millis(trial);
      for (int i = 0; i < millis.length; i++) {
        sums[i] += millis[i] / trials.size();
      }
      rows.add(Row.of("trial " + trial.number(), texts(millis)));
    }
    if (trials.isEmpty()) {
      Arrays.fill(sums, Double.NaN);
    }
    rows.add(Row.of("average", texts(sums)).asSum());
    String name = FormFigures.label(experiment, configuration);
    return new Rows(Words.join(", ", FormFigures.head(experiment), name), rows);
  }

  private static double[] millis(TrialResult trial) {
    double[] millis = new double[PHASES.size() + 1];
    for (int i = 0; i < PHASES.size(); i++) {
      PhaseResult phase = Trials.phase(trial, PHASES.get(i));
      millis[i] = phase == null ? Double.NaN : FormFigures.millis(phase);
      millis[PHASES.size()] += millis[i];
    }
    return millis;
  }

  private static List<String> texts(double[] millis) {
    return Arrays.stream(millis).mapToObj(CostColumns::millis).toList();
  }
}
