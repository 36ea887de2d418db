package io.kvstadium.bench.report;

import static io.kvstadium.bench.report.Block.Medium.MARKDOWN;
import static io.kvstadium.bench.report.Block.Medium.PAGE;

import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** What a configuration costs besides time; medians over its trials, NaN where unknown. */
record Costs(ConfigurationResult of) {
  private static final String CAPTION =
      "Medians over trials. evidence: of the level of durability in force, see What was run; disk/live:"
          + " bytes on disk per byte of live data when the workload stopped, and closed/live after the"
          + " close; written/put: bytes that reached the device per byte put, after the close and a"
          + " sync, less than 1 where values compress or files were removed before the system wrote"
          + " them; memory: anonymous.";

  /** Asking an engine whether it is done takes less than this; any work takes more. */
  private static final double NOTHING_NANOS = 1e6;

  private static final String NOT_REPORTED = "not reported";

  private static final List<Column<Costs>> ALL =
      List.of(
          Column.of("create", own -> Units.time(own.createNanos()), PAGE, MARKDOWN),
          Column.of("open", own -> Units.time(own.openNanos()), PAGE, MARKDOWN),
          Column.of("close", own -> Units.time(own.closeNanos()), PAGE, MARKDOWN),
          Column.of("evidence", Costs::evidence, PAGE, MARKDOWN),
          bytes("disk at stop", card -> card.sizes().diskBytes(), PAGE),
          Column.of("disk/live", own -> Units.ratio(own.amplification())),
          bytes("disk when closed", card -> card.sizes().settledDiskBytes(), PAGE),
          Column.of("closed/live", own -> Units.ratio(own.settledAmplification())),
          Column.of("work after writes", Costs::settled, PAGE),
          bytes("memory", card -> card.memory().anonymousBytes()),
          bytes("file-backed", card -> card.memory().fileBytes(), PAGE),
          bytes("peak", card -> card.memory().peakBytes(), PAGE),
          bytes("read", card -> card.traffic().readBytes(), PAGE),
          bytes("written", card -> card.traffic().writtenBytes(), PAGE),
          Column.of("written/put", own -> Units.ratio(own.writeAmplification())));

  /** What a phase costs. */
  static final List<Column<Trials>> PHASE =
      List.of(
          Column.of("CPU per operation", own -> Units.time(cpuNanos(own)), PAGE),
          per(
              "heap per operation",
              Units::bytes,
              p -> p.cost().allocatedBytes(),
              p -> p.operations()),
          per("in GC", Units::percent, p -> p.cost().gcNanos(), PhaseResult::nanos),
          per(
              "read from device per byte",
              Units::ratio,
              p -> p.cost().readBytes(),
              p -> p.bytes()));

  /** Left out if no configuration has it; the count is that of the whole device. */
  static final Column<Trials> FLUSHES =
      Column.of("flushes per operation", own -> Units.ratio(flushes(own)), PAGE, MARKDOWN);

  /** How many device cache flushes each operation caused. */
  static double flushes(Trials own) {
    return own.median(phase -> Trials.per(phase.cost().flushes(), phase.operations()));
  }

  private static Column<Costs> bytes(
      String head, ToDoubleFunction<CostCard> figure, Medium... media) {
    return Column.of(head, own -> Units.bytes(own.median(figure)), media);
  }

  private static Column<Trials> per(
      String head,
      DoubleFunction<String> unit,
      ToLongFunction<PhaseResult> amount,
      ToLongFunction<PhaseResult> count) {
    ToDoubleFunction<PhaseResult> figure =
        phase -> Trials.per(amount.applyAsLong(phase), count.applyAsLong(phase));
    return Column.of(head, own -> unit.apply(own.median(figure)), PAGE);
  }

  /** Processor time of the whole process per operation. */
  static double cpuNanos(Trials own) {
    // if no processor time was seen in a phase, it is unknown: some clocks tick coarsely
    return own.median(
        p -> p.cost().cpuNanos() == 0 ? -1 : Trials.per(p.cost().cpuNanos(), p.operations()));
  }

  /** What configurations cost; columns without any known figure are left out. */
  static List<Block> blocks(List<Costs> costs) {
    Table table =
        Table.of(
            Table.Look.QUIET,
            "What configurations cost",
            "",
            ALL,
            costs,
            own -> Table.Row.of(own.configuration()));
    return List.of(table.known(), Block.Text.aside(CAPTION));
  }

  String configuration() {
    return of.name();
  }

  /** Whether anything is known besides creating, opening and closing. */
  boolean known() {
    return Column.row(ALL, this, Table.Row.of("")).texts().stream()
        .skip(4)
        .anyMatch(text -> !text.equals(Table.MISSING) && !text.equals(NOT_REPORTED));
  }

  /** Why the level of durability in force is believed to hold, in a word. */
  private String evidence() {
    return Objects.requireNonNullElse(of.evidenceWord(), Table.MISSING);
  }

  double median(ToDoubleFunction<CostCard> figure) {
    return Trials.median(of, figure);
  }

  double createNanos() {
    return call("create");
  }

  double openNanos() {
    return call("open");
  }

  double closeNanos() {
    return call("close");
  }

  private double call(String phase) {
    // the reciprocal of the median rate, as in the figures: for an even number of trials the median
    // time differs from it
    return 1e9 / Trials.of(of, phase).median(own -> own.operations() == 1 ? 1e9 / own.nanos() : -1);
  }

  /** Allocated blocks for each byte of live keys and values. */
  double amplification() {
    return median(card -> Trials.per(card.sizes().diskBytes(), card.sizes().liveBytes()));
  }

  /** The same after all writes and the close. */
  double settledAmplification() {
    return median(
        card -> Trials.per(card.sizes().settledDiskBytes(), card.sizes().settledLiveBytes()));
  }

  /** Bytes written to the device for each byte of keys and values that was written. */
  double writeAmplification() {
    return median(card -> Trials.per(card.traffic().writtenBytes(), card.traffic().movedBytes()));
  }

  /**
   * The settled space per live byte, or if that is unknown, the space when the workload stopped.
   */
  double space() {
    double settled = settledAmplification();
    return Double.isNaN(settled) ? amplification() : settled;
  }

  /**
   * How long the engine continued compacting after the writes, or that the engine does not report
   * when it is done.
   */
  String settled() {
    double nanos = median(card -> card.settling().settleNanos());
    if (Double.isNaN(nanos)) {
      return NOT_REPORTED;
    }
    boolean said = Trials.good(of).stream().anyMatch(trial -> trial.card().settling().settled());
    if (said && nanos < NOTHING_NANOS) {
      return "none";
    }
    return (said ? "" : "more than ") + Units.time(nanos);
  }
}
