package io.kvstadium.bench.report;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Words for costs; a column of which no configuration knows anything is left out. */
final class CostTexts {
  static final String UNKNOWN = "–";

  /** A column of the cost card. */
  private record Column(String head, Function<Costs, String> text) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("open", costs -> time(costs.openNanos())),
          new Column("close", costs -> time(costs.closeNanos())),
          new Column("open after kill", costs -> time(costs.openAfterKillNanos())),
          new Column("disk at stop", costs -> bytes(costs.diskBytes())),
          new Column("per live byte", costs -> ratio(costs.amplification())),
          new Column("disk at rest", costs -> bytes(costs.settledBytes())),
          new Column("per live byte", costs -> ratio(costs.settledAmplification())),
          new Column("compacted for", CostTexts::settled),
          new Column("anonymous memory", costs -> bytes(costs.anonymousBytes())),
          new Column("file-backed memory", costs -> bytes(costs.fileBytes())),
          new Column("peak memory", costs -> bytes(costs.peakBytes())),
          new Column("read from device", costs -> bytes(costs.readBytes())),
          new Column("written to device", costs -> bytes(costs.writtenBytes())),
          new Column("per byte put", costs -> ratio(costs.writeAmplification())));

  private CostTexts() {}

  static Page.Table card(List<Costs> costs) {
    List<Column> known =
        COLUMNS.stream()
            .filter(column ->
                costs.stream().anyMatch(each -> !column.text().apply(each).equals(UNKNOWN)))
            .toList();
    return new Page.Table(
        "Medians over trials; what is not listed is not known",
        true,
        known.stream().map(Column::head).toList(),
        costs.stream()
            .map(each ->
                new Page.TableRow(
                    null,
                    false,
                    each.configuration(),
                    known.stream().map(column -> column.text().apply(each)).toList()))
            .toList());
  }

  /** In the order of the template's heads. */
  static List<String> phase(PhaseCosts costs) {
    return Stream.of(
            time(costs.cpuNanos()),
            bytes(costs.allocatedBytes()),
            Double.isNaN(costs.gcShare()) ? UNKNOWN : Units.percent(costs.gcShare()),
            ratio(costs.readPerByte()))
        .toList();
  }

  /**
   * How long the engine went on compacting after the writes, or that the engine does not say when
   * it is done.
   */
  static String settled(Costs costs) {
    if (Double.isNaN(costs.settleNanos())) {
      return "does not say";
    }
    return (costs.settled() == 0 ? "more than " : "") + Units.time(costs.settleNanos());
  }

  static String time(double nanos) {
    return Double.isNaN(nanos) ? UNKNOWN : Units.time(nanos);
  }

  static String bytes(double bytes) {
    return Double.isNaN(bytes) ? UNKNOWN : Units.bytes(bytes);
  }

  static String ratio(double ratio) {
    return Double.isNaN(ratio) ? UNKNOWN : Units.digits(ratio);
  }
}
