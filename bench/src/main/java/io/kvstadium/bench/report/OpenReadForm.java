package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;

/** Space, the time of writing everything, and of opening, reading one key and closing again. */
final class OpenReadForm {
  private static final List<String> COLUMNS =
      List.of("space", "write s", "min ms", "mean ms", "max ms");

  private OpenReadForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    List<Rows> blocks = new ArrayList<>();
    for (ExperimentResult experiment : experiments) {
      List<ExperimentResult> alone = List.of(experiment);
      List<String> writes = FormFigures.phases(alone, List.of("insert", "load"));
      List<String> reads = FormFigures.phases(alone, List.of("open-get"));
      for (String read : reads) {
        String head = Words.join(", ", FormFigures.head(experiment), reads.size() > 1 ? read : "");
        List<Row> rows =
            experiment.configurations().stream()
                .map(each -> Row.of(FormFigures.label(experiment, each), cells(each, writes, read)))
                .toList();
        blocks.add(new Rows(head, rows));
      }
    }
    return List.of(
        new PublishedTable(
            "space, time to write everything, and to open, read one key and close",
            "Space is of allocated blocks. Space and writing are medians over trials; the least,"
                + " the mean and the most are over the readings of all trials.",
            "configuration",
            COLUMNS,
            blocks,
            FormFigures.reasons(experiments)));
  }

  private static List<String> cells(
      ConfigurationResult configuration, List<String> writes, String read) {
    List<String> cells = new ArrayList<>();
    cells.add(FormFigures.bytes(FormFigures.median(configuration, card -> card.sizes().resting())));
    // an engine that takes entries by bulk load only has no figure for inserts
    double seconds =
        writes.stream()
            .mapToDouble(
                write -> FormFigures.median(configuration, write, phase -> phase.nanos() / 1e9))
            .filter(value -> !Double.isNaN(value))
            .findFirst()
            .orElse(Double.NaN);
    cells.add(FormFigures.number(seconds));
    Latencies latencies = FormFigures.latencies(configuration, read);
    if (latencies == null || latencies.batch() > 1) {
      double mean = FormFigures.median(configuration, read, phase -> phase.nanosPerOperation());
      cells.addAll(List.of(Table.MISSING, FormFigures.millis(mean), Table.MISSING));
    } else {
      cells.add(FormFigures.millis((double) latencies.minNanos()));
      cells.add(FormFigures.millis(latencies.meanNanos()));
      cells.add(FormFigures.millis((double) latencies.maxNanos()));
    }
    return cells;
  }
}
