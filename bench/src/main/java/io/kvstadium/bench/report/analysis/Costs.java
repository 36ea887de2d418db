package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.text.Units;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a configuration costs besides time; medians over its trials, NaN where unknown. */
public record Costs(ConfigurationResult of) {
  /** Asking an engine whether it is done takes less than this; any work takes more. */
  private static final double NOTHING_NANOS = 1e6;

  private static final String NOT_REPORTED = "not reported";

  private static final List<Column<Costs>> COLUMNS =
      List.of(
          Column.of("create", own -> Units.time(own.createNanos())),
          Column.of("open", own -> Units.time(own.openNanos())),
          Column.of("close", own -> Units.time(own.closeNanos())),
          bytes("disk at stop", card -> card.sizes().diskBytes()),
          Column.of("disk/live", own -> Units.ratio(own.amplification())),
          bytes("disk closed", card -> card.sizes().settledDiskBytes()),
          Column.of("closed/live", own -> Units.ratio(own.settledAmplification())),
          Column.of("settling", Costs::settled),
          bytes("memory", card -> card.memory().anonymousBytes()),
          bytes("file-backed", card -> card.memory().fileBytes()),
          bytes("peak", card -> card.memory().peakBytes()),
          bytes("read", card -> card.traffic().readBytes()),
          bytes("written", card -> card.traffic().writtenBytes()),
          Column.of("written/put", own -> Units.ratio(own.writeAmplification())));

  /** How to read the columns. */
  public static final String LEGEND =
      "Medians over trials. disk/live:"
          + " bytes on disk per byte of live data when the workload stopped, closed/live after the"
          + " close; settling: how long the engine went on after its writes; memory: anonymous;"
          + " written/put: bytes that reached the device per byte put, less than 1 where values"
          + " compress.";

  /** How many device cache flushes each operation caused. */
  public static double flushes(Trials own) {
    return own.median(phase -> Trials.per(phase.cost().flushes(), phase.operations()));
  }

  private static Column<Costs> bytes(String head, ToDoubleFunction<CostCard> figure) {
    return Column.of(head, own -> Units.bytes(own.median(figure)));
  }

  /** Processor time of the whole process per operation. */
  public static double cpuNanos(Trials own) {
    // if no processor time was seen in a phase, it is unknown: some clocks tick coarsely
    return own.median(
        p -> p.cost().cpuNanos() == 0 ? -1 : Trials.per(p.cost().cpuNanos(), p.operations()));
  }

  /** The share of a phase's time in garbage collections. */
  public static double collections(Trials own) {
    return own.median(phase -> Trials.per(phase.cost().gcNanos(), phase.nanos()));
  }

  /** Bytes allocated on the Java heap per operation. */
  public static double allocated(Trials own) {
    return own.median(phase -> Trials.per(phase.cost().allocatedBytes(), phase.operations()));
  }

  /** Bytes read from the device per byte of the phase's data. */
  public static double deviceReads(Trials own) {
    return own.median(phase -> Trials.per(phase.cost().readBytes(), phase.bytes()));
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
        .skip(3)
        .map(column -> column.cell().apply(this).text())
        .anyMatch(text -> !text.equals(Table.MISSING) && !text.equals(NOT_REPORTED));
  }

  public double median(ToDoubleFunction<CostCard> figure) {
    return Trials.median(of, figure);
  }

  public double createNanos() {
    return call("create");
  }

  public double openNanos() {
    return call("open");
  }

  public double closeNanos() {
    return call("close");
  }

  private double call(String phase) {
    // the reciprocal of the median rate, as in the figures: for an even number of trials the median
    // time differs from it
    return 1e9 / Trials.of(of, phase).median(own -> own.operations() == 1 ? 1e9 / own.nanos() : -1);
  }

  /** Allocated blocks for each byte of live keys and values. */
  public double amplification() {
    return median(card -> Trials.per(card.sizes().diskBytes(), card.sizes().liveBytes()));
  }

  /** The same after all writes and the close. */
  public double settledAmplification() {
    return median(
        card -> Trials.per(card.sizes().settledDiskBytes(), card.sizes().settledLiveBytes()));
  }

  /** Bytes written to the device for each byte of keys and values that was written. */
  public double writeAmplification() {
    return median(card -> Trials.per(card.traffic().writtenBytes(), card.traffic().movedBytes()));
  }

  /**
   * How long the engine continued compacting after the writes, or that the engine does not report
   * when it is done.
   */
  public String settled() {
    double nanos = median(card -> card.settling().settleNanos());
    if (Double.isNaN(nanos)) {
      return NOT_REPORTED;
    }
    boolean reported =
        Trials.good(of).stream().anyMatch(trial -> trial.card().settling().settled());
    if (reported && nanos < NOTHING_NANOS) {
      return "none";
    }
    return (reported ? "" : "more than ") + Units.time(nanos);
  }
}
