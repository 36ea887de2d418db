package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Drawing;
import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Table.Look;
import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is to be said of the latencies of one phase. */
final class LatencyBlocks {
  private static final String RESPONSE =
      "Response times count from the intended start of an operation, so that waiting behind slow"
          + " ones is in them; service times leave it out.";

  private static final String BATCHES =
      "Where operations were timed in batches, only their mean is known.";

  private final PhaseRanking ranking;
  private final List<String> names;
  private final List<Recordings.Recording> recordings = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  private LatencyBlocks(PhaseRanking ranking, List<String> names) {
    this.ranking = ranking;
    this.names = names;
  }

  static List<Block> of(
      ExperimentReport section, ComparisonGroup group, PhaseRanking ranking, List<String> names) {
    LatencyBlocks own = new LatencyBlocks(ranking, names);
    String name = section.experiment().name() + " " + group.group() + " " + ranking.phase();
    List<Block> blocks = new ArrayList<>();
    blocks.add(own.percentiles(group.configurations(), name));
    LineChart tries = Charts.tries(ranking, names);
    if (tries != null) {
      blocks.add(Block.on(Medium.PAGE, own.tries(tries)));
    }
    return blocks;
  }

  private Block percentiles(List<ConfigurationResult> configurations, String name) {
    boolean batches = false;
    for (Standing own : ranking.standings()) {
      List<PhaseResult> phases =
          configurations.stream()
              .filter(each -> each.name().equals(own.configuration()))
              .flatMap(each -> Trials.of(each, ranking.phase()).phases().stream())
              .toList();
      boolean paced = own.pacing() != null;
      if (paced) {
        add(
            own,
            "response",
            true,
            own.callerLatencies(),
            phases,
            p -> p.pace() == null ? null : p.pace().response());
      }
      add(own, "service", paced, own.latencies(), phases, PhaseResult::histogram);
      batches |= own.latencies() != null && !own.latencies().single();
    }
    LineChart curves = Charts.curves(ranking, names);
    List<Block> blocks = new ArrayList<>();
    if (curves != null) {
      blocks.add(new Drawing(curves));
    }
    blocks.add(
        Table.of(
            curves == null ? Look.PLAIN : Look.QUIET,
            ranking.phase() + ": latencies of all trials together",
            ranking.phase(),
            Column.heads(LatencyColumns.ALL),
            rows));
    if (ranking.paced()) {
      blocks.add(new Text(Style.ASIDE, RESPONSE));
      blocks.add(Block.on(Medium.PAGE, pacing()));
    }
    if (batches) {
      blocks.add(new Text(Style.ASIDE, BATCHES));
    }
    String csv = curves == null ? "" : Recordings.csv(curves);
    blocks.add(new Block.Download(new Recordings(name, recordings, csv)));
    return Part.of(ranking.paced() ? Kind.WIDE_DRAWING : Kind.DRAWING, blocks);
  }

  private void add(
      Standing own,
      String kind,
      boolean named,
      @Nullable Latencies latencies,
      List<PhaseResult> phases,
      Function<PhaseResult, @Nullable String> histogram) {
    if (latencies == null) {
      return;
    }
    String name =
        own.configuration()
            + (named ? ", " + kind : "")
            + (latencies.single() ? "" : " (batches of " + latencies.batch() + ")");
    boolean lesser = named && kind.equals("service");
    rows.add(
        new Row(
            name,
            Key.of(names, own.configuration()),
            false,
            lesser,
            Row.of(name, Column.texts(LatencyColumns.ALL, latencies)).cells(),
            List.of()));
    List<String> histograms = phases.stream().map(histogram).filter(Objects::nonNull).toList();
    double seconds = phases.stream().mapToLong(PhaseResult::nanos).sum() / 1e9;
    recordings.add(
        new Recordings.Recording(
            own.configuration(), kind, seconds, latencies.maxNanos(), histograms));
  }

  private Table pacing() {
    List<Row> paced = new ArrayList<>();
    for (Standing own : ranking.standings()) {
      if (own.pacing() != null) {
        List<String> texts = Column.texts(Pacing.COLUMNS, own.pacing());
        paced.add(Row.of(own.configuration(), Key.of(names, own.configuration()), texts));
      }
    }
    Pacing any = ranking.standings().getFirst().pacing();
    String arrivals = any == null ? "" : ", arrivals " + any.arrivals();
    String limit = any == null || any.limit() == null ? "" : ", limit " + any.limit();
    return Table.of(
        Look.PLAIN,
        ranking.phase() + ": rates wanted and achieved" + arrivals + limit,
        "configuration",
        Column.heads(Pacing.COLUMNS),
        paced);
  }

  private Part tries(LineChart chart) {
    List<Row> tried =
        ranking.standings().stream()
            .flatMap(own ->
                own.pacing() == null
                    ? Stream.<Row>of()
                    : own.pacing().tries().stream()
                        .map(each ->
                            Row.of(
                                own.configuration(),
                                Key.of(names, own.configuration()),
                                List.of(
                                    Units.rate(each.rate()),
                                    each.percentileNanos() < 0
                                        ? Table.MISSING
                                        : Units.time(each.percentileNanos()),
                                    each.held() ? "held" : "not held"))))
            .toList();
    return Part.of(
        Kind.DRAWING,
        List.of(
            new Drawing(chart),
            new Text(Style.ASIDE, "The line across is the limit to be kept."),
            Table.of(
                Look.QUIET,
                ranking.phase() + ": the rates that were tried, in their order",
                "configuration",
                Table.heads("rate", "percentile of the limit", "limit"),
                tried)));
  }
}
