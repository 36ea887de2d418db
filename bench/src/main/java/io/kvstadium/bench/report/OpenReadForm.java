package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
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
      List<String> writes = Figures.phases(alone, List.of("insert", "load"));
      List<String> reads = Figures.phases(alone, List.of("open-get"));
      for (String read : reads) {
        String head = Words.join(", ", Figures.head(experiment), reads.size() > 1 ? read : "");
        List<Row> rows =
            experiment.configurations().stream()
                .map(each -> Row.of(Figures.label(experiment, each), cells(each, writes, read)))
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
            Figures.reasons(experiments)));
  }

  private static List<String> cells(
      ConfigurationResult configuration, List<String> writes, String read) {
    List<String> cells = new ArrayList<>();
    cells.add(Figures.bytes(Figures.median(configuration, CostCard::restingBytes)));
    // an engine that takes entries by bulk load only has no figure for inserts
    double seconds =
        writes.stream()
            .mapToDouble(
                write -> Figures.median(configuration, write, phase -> phase.nanos() / 1e9))
            .filter(value -> !Double.isNaN(value))
            .findFirst()
            .orElse(Double.NaN);
    cells.add(Figures.number(seconds));
    Latencies latencies = Figures.latencies(configuration, read);
    if (latencies == null || latencies.batch() > 1) {
      double mean = Figures.median(configuration, read, phase -> phase.nanosPerOperation());
      cells.addAll(List.of(Table.MISSING, Figures.millis(mean), Table.MISSING));
    } else {
      cells.add(Figures.millis((double) latencies.minNanos()));
      cells.add(Figures.millis(latencies.meanNanos()));
      cells.add(Figures.millis((double) latencies.maxNanos()));
    }
    return cells;
  }
}
