package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the configurations of one group into the texts of the page. */
final class GroupBuilder {
  private final Samples samples;
  private final Section section;
  private final Division division;
  private final List<String> names;

  /** {@code null} if there is no ranking over all phases. */
  private final @Nullable OverallBoard overall;

  GroupBuilder(Samples samples, Section section, Division division) {
    this.samples = samples;
    this.section = section;
    this.division = division;
    this.names = division.configurations().stream().map(ConfigurationResult::name).toList();
    OverallBoard board = division.overall();
    this.overall = board == null || board.places().size() < 2 ? null : board;
  }

  Page.Group group() {
    List<Board> boards = division.boards();
    return new Page.Group(
        division.title(),
        division.headline(),
        division.note(),
        division.verdicts().entrySet().stream()
            .map(verdict -> new Page.Line(verdict.getKey(), verdict.getValue()))
            .toList(),
        columns(),
        rows(),
        boards.stream().map(board -> Charts.bars(board, names)).toList(),
        boards.stream().map(GroupBuilder::standings).toList(),
        boards.stream().flatMap(board -> latencies(board).stream()).toList(),
        boards.stream().flatMap(board -> course(board).stream()).toList(),
        scatter(),
        marks());
  }

  /** What the overview has a column for. */
  private List<String> columns() {
    List<String> columns = new ArrayList<>(division.boards().stream().map(Board::phase).toList());
    if (overall != null) {
      columns.add("overall");
    }
    return columns;
  }

  private List<Page.Row> rows() {
    List<Page.Row> rows = new ArrayList<>();
    for (String name : names) {
      List<Page.Figure> figures = new ArrayList<>();
      for (Board board : division.boards()) {
        Cell cell = board.cell(name);
        figures.add(cell == null ? Page.Figure.NONE : figure(board, cell));
      }
      if (figures.stream().anyMatch(Page.Figure::present)) {
        if (overall != null) {
          figures.add(figure(overall, name));
        }
        rows.add(new Page.Row(name, Key.of(names, name), figures));
      }
    }
    return rows;
  }

  private static String kind(@Nullable Verdict verdict, boolean decided) {
    return switch (verdict) {
      case Verdict.Slower _ -> "slower";
      case null -> decided ? "fastest" : "leading";
      default -> "undecided";
    };
  }

  private static Page.Figure figure(OverallBoard overall, String name) {
    OverallBoard.Place place = overall.place(name);
    if (place == null) {
      return new Page.Figure(true, "–", "not ranked", "phases missing", "none", 0, List.of());
    }
    String standing =
        switch (place.verdict()) {
          case null -> overall.decided() ? "fastest" : "best median";
          // the sentence above says the rest, which would make this the widest column
          case Verdict.NoDifference _ -> "no difference shown";
          default -> place.verdict().words();
        };
    return new Page.Figure(
        true,
        Units.percent(place.relative()),
        "of best",
        standing,
        kind(place.verdict(), overall.decided()),
        (int) Math.round(place.relative() * 100),
        List.of());
  }

  private static Page.Figure figure(Board board, Cell cell) {
    double spread = cell.rate().spread();
    return new Page.Figure(
        true,
        board.figure(cell),
        Double.isNaN(spread) ? "n = 1" : "± " + Units.percent(spread),
        cell.verdict() == null ? board.standing(cell) : Units.percent(cell.relative()) + " of best",
        kind(cell.verdict(), board.decided()),
        (int) Math.round(cell.relative() * 100),
        cell.marks().stream().map(Mark::word).toList());
  }

  /** Latency against cost in all ways that any two configurations have figures for. */
  private Page.@Nullable Scatter scatter() {
    List<String> phases = new ArrayList<>();
    Map<String, Page.View> views = new LinkedHashMap<>();
    String shown = "";
    int most = 0;
    for (Board board : division.boards()) {
      boolean any = false;
      for (Charts.Cost cost : Charts.Cost.values()) {
        for (Charts.Latency latency : Charts.Latency.values()) {
          boolean timed = board.cells().stream().anyMatch(cell -> cell.felt() != null);
          ScatterChart chart =
              timed ? Charts.scatter(board, latency, cost, section.costs(), names) : null;
          if (chart != null) {
            String key = cost + " " + latency + " " + board.phase();
            views.put(key, view(chart, board, latency, cost));
            any = true;
            shown = chart.spots().size() > most ? key : shown;
            most = Math.max(most, chart.spots().size());
          }
        }
      }
      if (any) {
        phases.add(board.phase());
      }
    }
    Page.View first = views.get(shown);
    return first == null ? null : new Page.Scatter(phases, shown, first, HtmlReport.packed(views));
  }

  private static Page.View view(
      ScatterChart chart, Board board, Charts.Latency latency, Charts.Cost cost) {
    return new Page.View(
        chart,
        List.of(
            new Page.Table(
                chart.title(),
                false,
                List.of(cost.words, latency.words + ", " + board.phase(), "standing"),
                chart.spots().stream()
                    .map(spot ->
                        new Page.TableRow(
                            spot.key(),
                            false,
                            spot.name(),
                            List.of(
                                cost.text(spot.x()),
                                Units.time(spot.y()),
                                spot.best() ? "beaten by none" : "beaten by another")))
                    .toList())));
  }

  /** Each mark's word once, with what it says for each cell that bears it. */
  private List<Mark> marks() {
    List<Mark> marks = new ArrayList<>();
    for (Board board : division.boards()) {
      for (Cell cell : board.cells()) {
        for (Mark mark : cell.marks()) {
          String where = cell.configuration() + ", " + board.phase() + ": ";
          marks.add(new Mark(mark.word(), where + mark.explanation()));
        }
      }
    }
    return marks;
  }

  private static Page.PhaseTable standings(Board board) {
    return new Page.PhaseTable(
        board.phase(),
        board.measure(),
        board.cells().stream()
            .map(cell ->
                new Page.Standing(
                    cell.configuration(),
                    board.figure(cell),
                    board.interval(cell).isEmpty() ? "none at n = 1" : board.interval(cell),
                    cell.rate().n(),
                    board.standing(cell),
                    CostTexts.phase(cell.costs())))
            .toList());
  }

  private List<Page.Drawing> latencies(Board board) {
    if (board.cells().stream().noneMatch(Cell::hasLatencies)) {
      return List.of();
    }
    List<Page.TableRow> rows = new ArrayList<>();
    for (Cell cell : board.cells()) {
      if (cell.pacing() != null && cell.felt() != null) {
        rows.add(percentiles(cell, "response", false, cell.felt()));
      }
      if (cell.latencies() != null) {
        boolean paced = cell.pacing() != null;
        rows.add(percentiles(cell, paced ? "service" : "", paced, cell.latencies()));
      }
    }
    LineChart curves = Charts.curves(board, names);
    List<Page.Table> tables = new ArrayList<>();
    tables.add(
        new Page.Table(
            board.phase() + ": latencies of all trials together",
            curves == null,
            Column.heads(LatencyColumns.LONG),
            rows));
    if (board.paced()) {
      tables.add(pacing(board));
    }
    List<Page.Drawing> drawings = new ArrayList<>();
    String aside =
        board.paced()
            ? "Response times count from the intended start of an operation, so that waiting behind"
                + " slow ones is in them; service times (dashed) leave it out."
            : "";
    drawings.add(new Page.Drawing(curves, tables, aside, recordings(board, curves)));
    Chart tries = Charts.tries(board, names);
    if (tries != null) {
      drawings.add(
          new Page.Drawing(
              tries, List.of(tries(board)), "The line across is the limit to be kept.", null));
    }
    return drawings;
  }

  private Page.TableRow percentiles(Cell cell, String kind, boolean dashed, Latencies latencies) {
    String batches = latencies.batch() > 1 ? " (batches of " + latencies.batch() + ")" : "";
    String name = cell.configuration() + (kind.isEmpty() ? "" : ", " + kind) + batches;
    return new Page.TableRow(
        Key.of(names, cell.configuration()),
        dashed,
        name,
        Column.texts(LatencyColumns.LONG, latencies));
  }

  private Page.Table pacing(Board board) {
    List<Page.TableRow> rows = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Pacing pacing = cell.pacing();
      if (pacing != null) {
        String late =
            Double.isNaN(pacing.latenessNanos()) ? "–" : Units.time(pacing.latenessNanos());
        rows.add(
            row(
                cell,
                Units.rate(pacing.wanted()),
                Units.rate(pacing.achieved()),
                pacing.heldAlways()
                    ? "held"
                    : pacing.held() == 0
                        ? "not held"
                        : "held in " + pacing.held() + " of " + pacing.trials(),
                late + (pacing.late() ? ", pacer late" : "")));
      }
    }
    Pacing any = board.cells().getFirst().pacing();
    String arrivals = any == null ? "" : ", arrivals " + any.arrivals();
    String limit = any == null || any.limit() == null ? "" : ", limit " + any.limit();
    return new Page.Table(
        board.phase() + ": rates wanted and achieved" + arrivals + limit,
        true,
        List.of("wanted", "achieved", "kept up", "pacer's own lateness, median"),
        rows);
  }

  private Page.Table tries(Board board) {
    List<Page.TableRow> rows = new ArrayList<>();
    for (Cell cell : board.cells()) {
      if (cell.pacing() != null) {
        cell.pacing()
            .tries()
            .forEach(each ->
                rows.add(
                    row(
                        cell,
                        Units.rate(each.rate()),
                        each.percentileNanos() < 0 ? "–" : Units.time(each.percentileNanos()),
                        each.held() ? "held" : "not held")));
      }
    }
    return new Page.Table(
        board.phase() + ": the rates that were tried, in their order",
        false,
        List.of("rate", "percentile of the limit", "limit"),
        rows);
  }

  private List<Page.Drawing> course(Board board) {
    Chart chart = Charts.course(board, names);
    if (chart == null) {
      return List.of();
    }
    List<Page.TableRow> rows = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Throughput course = cell.throughput();
      if (course != null) {
        double[] rates =
            course.rates().stream()
                .mapToDouble(each -> each)
                .filter(r -> !Double.isNaN(r))
                .toArray();
        int quarter = Math.max(1, rates.length / 4);
        rows.add(
            row(
                cell,
                mean(rates, 0, quarter),
                mean(rates, rates.length - quarter, rates.length),
                Units.rate(Arrays.stream(rates).min().orElse(0)),
                Units.rate(Arrays.stream(rates).max().orElse(0)),
                course.collections().size() + " of " + course.rates().size(),
                course.tells()
                    ? course.compactions().size() + " of " + course.rates().size()
                    : "does not say"));
      }
    }
    Page.Table table =
        new Page.Table(
            board.phase() + ": throughput over time",
            false,
            List.of("first quarter", "last quarter", "least", "most", "with GC", "compacting"),
            rows);
    return List.of(new Page.Drawing(chart, List.of(table), "", null));
  }

  private static String mean(double[] rates, int from, int to) {
    return to <= from || rates.length == 0
        ? "–"
        : Units.rate(Arrays.stream(rates, from, to).average().orElse(0));
  }

  private Page.TableRow row(Cell cell, String... cells) {
    String name = cell.configuration();
    return new Page.TableRow(Key.of(names, name), false, name, List.of(cells));
  }

  private Integer recordings(Board board, @Nullable LineChart curves) {
    List<Samples.Recording> recordings = new ArrayList<>();
    for (ConfigurationResult each : division.configurations()) {
      Cell cell = board.cell(each.name());
      if (cell == null) {
        continue;
      }
      List<PhaseResult> phases = Trials.of(each, board.phase()).phases();
      if (cell.pacing() != null) {
        record(
            recordings,
            cell,
            "response",
            cell.felt(),
            phases,
            phases.stream().map(p -> p.pace() == null ? null : p.pace().response()).toList());
      }
      record(
          recordings,
          cell,
          "service",
          cell.latencies(),
          phases,
          phases.stream().map(PhaseResult::histogram).toList());
    }
    String name = section.experiment().name() + " " + division.group() + " " + board.phase();
    return samples.add(name, recordings, curves);
  }

  private static void record(
      List<Samples.Recording> recordings,
      Cell cell,
      String kind,
      @Nullable Latencies latencies,
      List<PhaseResult> phases,
      List<@Nullable String> histograms) {
    List<String> known = histograms.stream().filter(Objects::nonNull).toList();
    if (latencies != null && !known.isEmpty()) {
      double seconds = phases.stream().mapToLong(PhaseResult::nanos).sum() / 1e9;
      recordings.add(
          new Samples.Recording(cell.configuration(), kind, seconds, latencies.maxNanos(), known));
    }
  }
}
