package io.kvstadium.bench.report;

import io.kvstadium.bench.report.FormFigures.Of;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import java.util.ArrayList;
import java.util.List;

/** Inserts and selects at several values of a number: milliseconds in all, and per record. */
final class SweepForm {
  private static final List<String> OPERATIONS = List.of("insert", "load", "get", "lend");

  private SweepForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    List<Column<ConfigurationResult>> columns = new ArrayList<>();
    List<String> phases = FormFigures.phases(experiments, OPERATIONS);
    for (String phase : phases) {
      columns.add(Column.of(phase + " ms", own -> new Of(own, phase).median(FormFigures::millis)));
    }
    for (String phase : phases) {
      columns.add(
          Column.of(
              "per " + phase,
              own -> new Of(own, phase).median(each -> FormFigures.millis(each) / each.entries())));
    }
    return List.of(
        PublishedTable.of(
            "milliseconds in all, and per record",
            "Medians over trials.",
            columns,
            experiments.stream()
                .map(each -> FormFigures.rows(each, FormFigures.head(each), columns, own -> own))
                .toList(),
            FormFigures.reasons(experiments)));
  }
}
