package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import java.util.ArrayList;
import java.util.List;

/** Inserts and selects at several values of a number: milliseconds in all, and per record. */
final class SweepForm {
  private static final List<String> OPERATIONS = List.of("insert", "load", "get", "lend");

  private SweepForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    List<String> phases = FormFigures.phases(experiments, OPERATIONS);
    List<String> columns = new ArrayList<>();
    phases.forEach(phase -> columns.add(phase + " ms"));
    phases.forEach(phase -> columns.add("per " + phase));
    List<Rows> blocks = new ArrayList<>();
    for (ExperimentResult experiment : experiments) {
      List<Row> rows =
          experiment.configurations().stream()
              .map(each -> Row.of(FormFigures.label(experiment, each), cells(each, phases)))
              .toList();
      blocks.add(new Rows(FormFigures.head(experiment), rows));
    }
    return List.of(
        new PublishedTable(
            "milliseconds in all, and per record",
            "Medians over trials.",
            "configuration",
            columns,
            blocks,
            FormFigures.reasons(experiments)));
  }

  private static List<String> cells(ConfigurationResult configuration, List<String> phases) {
    List<String> cells = new ArrayList<>();
    for (String phase : phases) {
      cells.add(FormFigures.number(FormFigures.median(configuration, phase, FormFigures::millis)));
    }
    for (String phase : phases) {
      cells.add(
          FormFigures.number(
              FormFigures.median(
                  configuration, phase, each -> FormFigures.millis(each) / each.entries())));
    }
    return cells;
  }
}
