package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Medium;
import java.util.List;
import java.util.Locale;

/** The columns of tables of costs. */
final class CostColumns {
  private static final String CAPTION =
      "Medians over trials. re-open: opening after a kill at the end of the writes; disk/live: bytes"
          + " on disk per byte of live data when the workload stopped, and rest/live when closed and"
          + " settled; written/put: bytes written to the device per byte put; memory: anonymous.";

  private static final List<Column<Costs>> ALL =
      List.of(
          Column.of("open", own -> time(own.openNanos()), Medium.PAGE, Medium.MARKDOWN),
          Column.of("close", own -> time(own.closeNanos()), Medium.PAGE, Medium.MARKDOWN),
          Column.of("re-open", own -> time(own.openAfterKillNanos())),
          Column.of("disk at stop", own -> bytes(own.diskBytes()), Medium.PAGE),
          Column.of("disk/live", own -> ratio(own.amplification())),
          Column.of("disk at rest", own -> bytes(own.settledBytes()), Medium.PAGE),
          Column.of("rest/live", own -> ratio(own.settledAmplification())),
          Column.of("compacted for", CostColumns::settled, Medium.PAGE),
          Column.of("memory", own -> bytes(own.anonymousBytes())),
          Column.of("file-backed", own -> bytes(own.fileBytes()), Medium.PAGE),
          Column.of("peak", own -> bytes(own.peakBytes()), Medium.PAGE),
          Column.of("read", own -> bytes(own.readBytes()), Medium.PAGE),
          Column.of("written", own -> bytes(own.writtenBytes()), Medium.PAGE),
          Column.of("written/put", own -> ratio(own.writeAmplification())));

  /** What a phase costs beside time. */
  static final List<Column<PhaseCosts>> PHASE =
      List.of(
          Column.of("CPU per operation", own -> time(own.cpuNanos()), Medium.PAGE),
          Column.of("heap per operation", own -> bytes(own.allocatedBytes()), Medium.PAGE),
          Column.of(
              "in GC",
              own -> Double.isNaN(own.gcShare()) ? Table.MISSING : Units.percent(own.gcShare()),
              Medium.PAGE),
          Column.of("read from device per byte", own -> ratio(own.readPerByte()), Medium.PAGE));

  private CostColumns() {}

  /** What configurations cost; a column of which none knows anything is left out. */
  static List<Block> blocks(List<Costs> costs) {
    List<Column<Costs>> known =
        ALL.stream()
            .filter(column ->
                costs.stream().anyMatch(own -> !column.text().apply(own).equals(Table.MISSING)))
            .toList();
    Table table =
        Table.of(
            Table.Look.QUIET,
            "What configurations cost",
            "",
            Column.heads(known),
            costs.stream()
                .map(own -> Table.Row.of(own.configuration(), Column.texts(known, own)))
                .toList());
    return List.of(table, new Block.Text(Block.Style.ASIDE, CAPTION));
  }

  /**
   * How long the engine went on compacting after the writes, or that the engine does not say when
   * it is done.
   */
  static String settled(Costs costs) {
    if (Double.isNaN(costs.settleNanos())) {
      return "not reported";
    }
    return (costs.settled() == 0 ? "more than " : "") + Units.time(costs.settleNanos());
  }

  static String time(double nanos) {
    return Double.isNaN(nanos) ? Table.MISSING : Units.time(nanos);
  }

  static String bytes(double bytes) {
    return Double.isNaN(bytes) ? Table.MISSING : Units.bytes(bytes);
  }

  static String ratio(double ratio) {
    return Double.isNaN(ratio) ? Table.MISSING : Units.digits(ratio);
  }

  static String millis(double millis) {
    return Double.isNaN(millis) ? Table.MISSING : String.format(Locale.ROOT, "%.1f", millis);
  }
}
