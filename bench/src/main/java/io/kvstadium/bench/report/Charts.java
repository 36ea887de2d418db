package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the charts of a page and numbers them. */
final class Charts {
  /** An interval wider than this factor would squeeze all else; it stands in the table. */
  private static final double MOST_DRAWN = 100;

  private final List<Chart> all = new ArrayList<>();

  /** Those made so far, by number. */
  List<Chart> all() {
    return all;
  }

  private <T extends Chart> T add(T chart) {
    all.add(chart);
    return chart;
  }

  Chart.Bars bars(Board board, List<String> names) {
    List<Chart.Bar> bars = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Estimate rate = cell.rate();
      Estimate shown = board.single() ? rate.reciprocal() : rate;
      double unit = board.single() ? 1e9 : 1;
      Interval interval = shown.interval();
      bars.add(
          new Chart.Bar(
              cell.configuration(),
              names.indexOf(cell.configuration()),
              round(shown.median() * unit),
              interval == null ? null : round(interval.low() * unit),
              interval == null ? null : round(interval.high() * unit),
              board.figure(cell)));
    }
    String measure = board.measure() + (board.single() ? ", less is better" : ", more is better");
    return add(
        new Chart.Bars(
            all.size(),
            "bars",
            board.phase() + ": " + measure,
            "Bar chart of " + board.phase() + ", " + measure + "; the table holds the same figures",
            board.single(),
            bars));
  }

  /** {@code null} if the phase has no latencies. */
  Chart.@Nullable Lines curves(Board board, List<String> names) {
    List<Chart.Line> lines = new ArrayList<>();
    for (Cell cell : board.cells()) {
      int series = names.indexOf(cell.configuration());
      boolean paced = cell.pacing() != null;
      if (paced && cell.felt() != null) {
        lines.add(
            new Chart.Line(cell.configuration() + ", response", series, false, curve(cell.felt())));
      }
      if (cell.latencies() != null) {
        String name = cell.configuration() + (paced ? ", service" : "");
        lines.add(new Chart.Line(name, series, paced, curve(cell.latencies())));
      }
    }
    lines.removeIf(line -> line.points().isEmpty());
    if (lines.isEmpty()) {
      return null;
    }
    String y = board.paced() ? "response time (dashed: service)" : "service time (closed loop)";
    return add(
        new Chart.Lines(
            all.size(),
            "lines",
            board.phase() + ": latency by percentile, less is better",
            "Latency percentile curves of " + board.phase() + "; the table holds p50 to max",
            new Chart.Axis("percentile", "percentile", false),
            new Chart.Axis(y, "time", true),
            lines,
            null));
  }

  private static List<double[]> curve(@Nullable Latencies latencies) {
    return latencies == null
        ? List.of()
        : latencies.points().stream()
            .map(p -> new double[] {round(-Math.log10(1 - p.level())), Math.max(1, p.nanos())})
            .toList();
  }

  /** {@code null} if the phase has no course. */
  Chart.@Nullable Lines course(Board board, List<String> names) {
    List<Chart.Line> lines = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Throughput throughput = cell.throughput();
      if (throughput != null) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < throughput.rates().size(); i++) {
          double rate = throughput.rates().get(i);
          if (!Double.isNaN(rate)) {
            points.add(new double[] {round((i + 0.5) * throughput.seconds()), round(rate)});
          }
        }
        lines.add(
            new Chart.Line(
                cell.configuration(),
                names.indexOf(cell.configuration()),
                false,
                points,
                List.of(),
                List.of(),
                new Chart.Strip(
                    throughput.seconds(), throughput.collections(), throughput.compactions())));
      }
    }
    return lines.isEmpty()
        ? null
        : add(
            new Chart.Lines(
                all.size(),
                "lines",
                board.phase() + ": throughput over time",
                "Throughput of "
                    + board.phase()
                    + " over time, of each configuration's middle trial; the table sums it up",
                new Chart.Axis("seconds", "seconds", false),
                new Chart.Axis("operations per second", "rate", false),
                lines,
                null));
  }

  /** The rates that searches tried, or {@code null} if there was no search. */
  Chart.@Nullable Lines tries(Board board, List<String> names) {
    List<Chart.Line> lines = new ArrayList<>();
    Double limit = null;
    String percentile = "";
    for (Cell cell : board.cells()) {
      Pacing pacing = cell.pacing();
      if (pacing == null || pacing.tries().isEmpty()) {
        continue;
      }
      if (pacing.limit() != null) {
        Rate.Limit parsed = Rate.Limit.parse(pacing.limit());
        limit = (double) parsed.nanos();
        percentile = Units.level(parsed.level());
      }
      List<double[]> points = new ArrayList<>();
      for (Pace.Try each : pacing.tries()) {
        points.add(new double[] {round(each.rate()), Math.max(1, each.percentileNanos())});
      }
      points.sort((a, b) -> Double.compare(a[0], b[0]));
      int series = names.indexOf(cell.configuration());
      lines.add(new Chart.Line(cell.configuration(), series, false, points));
    }
    return lines.isEmpty()
        ? null
        : add(
            new Chart.Lines(
                all.size(),
                "lines",
                board.phase() + ": response time at the rates that were tried",
                "Response times at the rates that were tried; the table holds the same figures",
                new Chart.Axis("operations per second", "rate", true),
                new Chart.Axis(percentile + " of the response time", "time", true),
                lines,
                limit));
  }

  Chart.Lines sweep(SweepSummary sweep, SweepSummary.Group group, SweepSummary.Phase phase) {
    List<Chart.Line> lines = new ArrayList<>();
    for (SweepSummary.Line line : phase.lines()) {
      List<double[]> points = new ArrayList<>();
      List<double[]> whiskers = new ArrayList<>();
      List<double[]> hollow = new ArrayList<>();
      for (SweepSummary.Figure figure : line.figures()) {
        double[] point = {figure.value(), round(figure.median())};
        (figure.projected() ? hollow : points).add(point);
        Interval interval = figure.interval();
        if (interval != null && interval.high() <= MOST_DRAWN * interval.low()) {
          whiskers.add(
              new double[] {figure.value(), round(interval.low()), round(interval.high())});
        }
      }
      int series = group.names().indexOf(line.configuration());
      lines.add(
          new Chart.Line(line.configuration(), series, false, points, whiskers, hollow, null));
    }
    String title =
        phase.name()
            + ": "
            + phase.measure()
            + (phase.single() ? ", less" : ", more")
            + " is better";
    return add(
        new Chart.Lines(
            all.size(),
            "lines",
            title,
            "Line chart over " + sweep.words() + " of " + title + "; the table has its figures",
            new Chart.Axis(sweep.words(), "number", sweep.wide()),
            new Chart.Axis(phase.measure(), phase.single() ? "time" : "rate", spans(lines)),
            lines,
            null));
  }

  private static boolean spans(List<Chart.Line> lines) {
    double[] values =
        lines.stream().flatMap(line -> line.points().stream()).mapToDouble(p -> p[1]).toArray();
    double least = Arrays.stream(values).min().orElse(1);
    return Arrays.stream(values).max().orElse(1) > 10 * least;
  }

  /** {@code null} if there are fewer than two configurations, or nothing to set against time. */
  Chart.@Nullable Scatter scatter(Division division, List<Costs> costs, List<String> names) {
    List<Board> boards =
        division.boards().stream()
            .filter(board -> board.cells().size() > 1)
            .filter(board -> board.cells().stream().anyMatch(cell -> cell.felt() != null))
            .toList();
    List<Chart.Spot> spots = new ArrayList<>();
    for (String name : names) {
      List<Chart.@Nullable SpotPhase> phases = new ArrayList<>();
      for (Board board : boards) {
        Cell cell = board.cell(name);
        phases.add(cell == null ? null : spot(board, cell));
      }
      double space =
          costs.stream()
              .filter(each -> each.configuration().equals(name))
              .mapToDouble(Costs::space)
              .findFirst()
              .orElse(Double.NaN);
      if (phases.stream().anyMatch(phase -> phase != null)) {
        spots.add(new Chart.Spot(name, names.indexOf(name), known(space), phases));
      }
    }
    if (spots.size() < 2) {
      return null;
    }
    String title = "Latency against space or processor time, less of both is better";
    return add(
        new Chart.Scatter(
            all.size(),
            "scatter",
            title,
            title + "; the table below has the same figures and names those that none beats",
            boards.stream().map(Board::phase).toList(),
            spots));
  }

  private static Chart.SpotPhase spot(Board board, Cell cell) {
    Latencies latencies = cell.felt();
    Long p50 = latencies == null ? null : latencies.at(0.5);
    Long p99 = latencies == null ? null : latencies.at(0.99);
    double time = board.paced() ? Double.NaN : 1e9 / cell.rate().median();
    return new Chart.SpotPhase(
        known(cell.costs().cpuNanos()),
        p50 == null ? null : (double) p50,
        p99 == null ? null : (double) p99,
        known(time));
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : round(value);
  }

  /** Four digits, which no chart can show more of. */
  private static double round(double value) {
    if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
      return value;
    }
    double scale = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
    return Math.round(value * scale) / scale;
  }
}
