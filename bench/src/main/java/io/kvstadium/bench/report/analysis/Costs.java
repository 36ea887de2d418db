package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.text.Units;
import java.util.List;
import java.util.stream.Stream;

/** What a configuration costs besides time; medians over its trials, NaN where unknown. */
public record Costs(ConfigurationResult of) {
  /** Asking an engine whether it is done takes less than this; any work takes more. */
  private static final double NOTHING_NANOS = 1e6;

  private static final String NOT_REPORTED = "not reported";

  private static final List<Column<Costs>> COLUMNS =
      Stream.concat(
              PhaseSpec.CALLS.stream().map(Costs::ofCall),
              Figures.COSTS_OF_TRIAL.stream().map(Costs::ofTrial))
          .toList();

  /** How to read the columns. */
  public static final String LEGEND =
      "Medians over trials. disk/live:"
          + " bytes on disk per byte of live data when the workload stopped, closed/live after the"
          + " close; settling: how long the engine went on after its writes; memory: anonymous;"
          + " written/put: bytes that reached the device per byte put, less than 1 where values"
          + " compress.";

  private static Column<Costs> ofCall(String phase) {
    return Column.of(phase, own -> own.call(phase));
  }

  private static Column<Costs> ofTrial(Figure figure) {
    return Column.of(
        figure.head(),
        figure.equals(Figures.SETTLE_NANOS) ? Costs::stable : own -> figure.text(own.samples()));
  }

  /** What configurations cost; columns without any known figure are left out. */
  public static Table table(List<Costs> costs) {
    return Table.of(
            "costs",
            COLUMNS,
            costs,
            own -> new Row(own.configuration(), null, List.of(), List.of()))
        .known();
  }

  public String configuration() {
    return of.name();
  }

  /** Whether anything is known besides creating, opening and closing. */
  public boolean known() {
    return COLUMNS.stream()
        .skip(PhaseSpec.CALLS.size())
        .map(column -> column.cell().apply(this).text())
        .anyMatch(text -> !text.equals(Units.MISSING) && !text.equals(NOT_REPORTED));
  }

  /** What its figures are extracted from. */
  public Samples samples() {
    return new Samples(Trials.good(of), List.of());
  }

  private String call(String phase) {
    // the reciprocal of the median rate, as in the figures: for an even number of trials the median
    // time differs from it
    return Units.time(1e9 / Figures.RATE.of(Trials.of(of, phase).samples()));
  }

  /**
   * How long the engine continued compacting after the writes, or that the engine does not report
   * when it is done.
   */
  public String stable() {
    double nanos = Figures.SETTLE_NANOS.of(samples());
    if (Double.isNaN(nanos)) {
      return NOT_REPORTED;
    }
    boolean reported = Trials.good(of).stream().anyMatch(trial -> trial.card().settling().stable());
    if (reported && nanos < NOTHING_NANOS) {
      return "none";
    }
    return (reported ? "" : "more than ") + Units.time(nanos);
  }
}
