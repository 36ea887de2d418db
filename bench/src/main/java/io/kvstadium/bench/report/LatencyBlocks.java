package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Drawing;
import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Table.Look;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Weight;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The document's blocks on the latencies of one phase. */
final class LatencyBlocks {
  private static final String RESPONSE =
      "Response times count from the intended start of an operation, so they include waiting behind"
          + " slow ones; service times do not.";

  private static final String BATCHES =
      "Where operations were timed in batches, only their mean is known.";

  /**
   * There are percentiles and a maximum only where a sample is one operation; batches have the mean
   * of an operation, and dashes.
   */
  private static final List<Column<Latencies>> COLUMNS = columns();

  private static final List<Column<Tried>> TRIED =
      List.of(
          Column.of("rate", own -> Units.rate(own.what.rate())),
          Column.of(
              "percentile of the limit",
              own -> time(own.what.percentileNanos() < 0 ? null : own.what.percentileNanos())),
          Column.of("limit", own -> own.what.held() ? "held" : "not held"));

  private record Tried(Standing own, Pace.Try what) {}

  /**
   * Latencies of one kind: at a fixed rate there are response times as well as service times.
   *
   * @param kind {@code response} or {@code service}
   */
  record Timed(Standing own, String kind, Latencies latencies) {
    /** All latencies of a phase; at a fixed rate, the response times come first. */
    static List<Timed> of(PhaseRanking ranking) {
      List<Timed> all = new ArrayList<>();
      for (Standing own : ranking.standings()) {
        if (own.pacing() != null && own.callerLatencies() != null) {
          all.add(new Timed(own, "response", own.callerLatencies()));
        }
        if (own.latencies() != null) {
          all.add(new Timed(own, "service", own.latencies()));
        }
      }
      return all;
    }

    String name() {
      return own.configuration() + (own.pacing() == null ? "" : ", " + kind);
    }

    /** Whether it is the second kind of its configuration. */
    boolean lesser() {
      return own.pacing() != null && kind.equals("service");
    }

    private Row row() {
      String batches = latencies.single() ? "" : " (batches of " + latencies.batch() + ")";
      return Row.of(name() + batches, own.key()).as(lesser() ? Weight.LESSER : Weight.USUAL);
    }

    private Recordings.Recording recording() {
      List<String> histograms =
          own.trials()
              .each(phase ->
                  kind.equals("service")
                      ? phase.histogram()
                      : phase.pace() == null ? null : phase.pace().response());
      double seconds = own.trials().phases().stream().mapToLong(PhaseResult::nanos).sum() / 1e9;
      return new Recordings.Recording(
          own.configuration(), kind, seconds, latencies.maxNanos(), histograms);
    }
  }

  private LatencyBlocks() {}

  private static List<Column<Latencies>> columns() {
    List<Column<Latencies>> columns = new ArrayList<>();
    columns.add(Column.of("mean", own -> Units.time(own.meanPerOperation())));
    for (double level : Latencies.LONG_TABLE) {
      Medium[] media = Latencies.TABLE.contains(level) ? new Medium[0] : new Medium[] {Medium.PAGE};
      columns.add(Column.of(Units.level(level), own -> time(own.at(level)), media));
    }
    columns.add(Column.of("max", own -> time(own.single() ? own.maxNanos() : null)));
    return List.copyOf(columns);
  }

  private static String time(@Nullable Long nanos) {
    return nanos == null ? Table.MISSING : Units.time(nanos);
  }

  /** The blocks; empty if there are no latencies. */
  static List<Block> of(PhaseRanking ranking, String name) {
    List<Timed> all = Timed.of(ranking);
    if (all.isEmpty()) {
      return List.of();
    }
    LineChart curves = Charts.curves(ranking);
    List<Block> blocks = new ArrayList<>();
    if (curves != null) {
      blocks.add(new Drawing(curves));
    }
    blocks.add(
        Table.of(
            curves == null ? Look.PLAIN : Look.QUIET,
            ranking.phase() + ": latencies of all trials together",
            ranking.phase(),
            Column.of(Timed::latencies, COLUMNS),
            all,
            Timed::row));
    if (ranking.paced()) {
      blocks.add(Text.aside(RESPONSE));
      blocks.add(Block.on(Medium.PAGE, pacing(ranking)));
    }
    if (ranking.any(own -> own.latencies() != null && !own.latencies().single())) {
      blocks.add(Text.aside(BATCHES));
    }
    List<Recordings.Recording> recordings = all.stream().map(Timed::recording).toList();
    String csv = curves == null ? "" : Recordings.csv(curves);
    String files = name + " " + ranking.phase();
    blocks.add(new Block.Download(new Recordings(files, recordings, csv)));
    Part percentiles = Part.of(ranking.paced() ? Kind.DRAWING_WHOLE : Kind.DRAWING, blocks);
    LineChart tries = Charts.tries(ranking);
    return tries == null
        ? List.of(percentiles)
        : List.of(percentiles, Block.on(Medium.PAGE, tries(ranking, tries)));
  }

  private static Table pacing(PhaseRanking ranking) {
    Pacing any = ranking.standings().getFirst().pacing();
    String arrivals = any == null ? "" : ", arrivals " + any.arrivals();
    String limit = any == null || any.limit() == null ? "" : ", limit " + any.limit();
    String caption = "rates wanted and achieved" + arrivals + limit;
    return ranking.table(Look.PLAIN, caption, Standing::pacing, Pacing.COLUMNS);
  }

  private static Part tries(PhaseRanking ranking, LineChart chart) {
    List<Tried> tried = new ArrayList<>();
    for (Standing own : ranking.standings()) {
      if (own.pacing() != null) {
        own.pacing().tries().forEach(each -> tried.add(new Tried(own, each)));
      }
    }
    Table table =
        Table.of(
            Look.QUIET,
            ranking.phase() + ": the rates that were tried, in order",
            "configuration",
            TRIED,
            tried,
            each -> each.own.row());
    Text limit = Text.aside("The line across is the limit to keep.");
    return Part.of(Kind.DRAWING, new Drawing(chart), limit, table);
  }
}
