package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Rate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Makes the charts of a report. */
final class Charts {
  /** An interval wider than this factor would squeeze all else; it stands in the table. */
  private static final double MOST_DRAWN = 100;

  private Charts() {}

  static BarChart bars(Board board, List<String> names) {
    List<BarChart.Bar> bars = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Estimate shown = board.single() ? cell.rate().reciprocal() : cell.rate();
      double unit = board.single() ? 1e9 : 1;
      Interval interval = shown.interval();
      String reach = board.interval(cell);
      bars.add(
          new BarChart.Bar(
              Key.of(names, cell.configuration()),
              cell.configuration(),
              shown.median() * unit,
              interval == null ? null : interval.low() * unit,
              interval == null ? null : interval.high() * unit,
              board.figure(cell),
              board.figure(cell) + (reach.isEmpty() ? "" : ", " + reach)));
    }
    String measure = board.measure() + (board.single() ? ", less is better" : ", more is better");
    return new BarChart(
        board.phase() + ": " + measure,
        "Bar chart of " + board.phase() + ", " + measure + "; the table holds the same figures",
        board.single(),
        bars);
  }

  /** {@code null} if the phase has no percentiles. */
  static @Nullable LineChart curves(Board board, List<String> names) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Key key = Key.of(names, cell.configuration());
      boolean paced = cell.pacing() != null;
      if (paced && cell.felt() != null) {
        String name = cell.configuration() + ", response";
        lines.add(new LineChart.Line(key, name, false, curve(cell.felt())));
      }
      if (cell.latencies() != null) {
        String name = cell.configuration() + (paced ? ", service" : "");
        lines.add(new LineChart.Line(key, name, paced, curve(cell.latencies())));
      }
    }
    lines.removeIf(line -> line.points().isEmpty());
    if (lines.isEmpty()) {
      return null;
    }
    String y = board.paced() ? "response time (dashed: service)" : "service time (closed loop)";
    double nines = Arrays.stream(all(lines, 0)).max().orElse(1);
    return new LineChart(
        board.phase() + ": latency by percentile, less is better",
        "Latency percentile curves of " + board.phase() + "; the table holds p50 to max",
        Axis.nines(nines),
        Axis.fitting(y, Axis.Unit.TIME, all(lines, 1), true),
        lines,
        null);
  }

  private static List<double[]> curve(@Nullable Latencies latencies) {
    return latencies == null
        ? List.of()
        : latencies.points().stream()
            .map(p -> new double[] {-Math.log10(1 - p.level()), Math.max(1, p.nanos())})
            .toList();
  }

  /** {@code null} if the throughput over time was not recorded. */
  static @Nullable LineChart course(Board board, List<String> names) {
    List<LineChart.Line> lines = new ArrayList<>();
    double end = 0;
    for (Cell cell : board.cells()) {
      Throughput throughput = cell.throughput();
      if (throughput != null) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < throughput.rates().size(); i++) {
          double rate = throughput.rates().get(i);
          if (!Double.isNaN(rate)) {
            points.add(new double[] {(i + 0.5) * throughput.seconds(), rate});
          }
        }
        end = Math.max(end, throughput.rates().size() * throughput.seconds());
        lines.add(
            new LineChart.Line(
                Key.of(names, cell.configuration()),
                cell.configuration(),
                false,
                points,
                List.of(),
                List.of(),
                new LineChart.Strip(
                    throughput.seconds(), throughput.collections(), throughput.compactions())));
      }
    }
    return lines.isEmpty()
        ? null
        : new LineChart(
            board.phase() + ": throughput over time",
            "Throughput of "
                + board.phase()
                + " over time, of each configuration's middle trial; the table sums it up",
            Axis.linear("seconds", Axis.Unit.NUMBER, 0, end),
            Axis.fromZero("operations per second", Axis.Unit.RATE, all(lines, 1)),
            lines,
            null);
  }

  /** The rates that searches tried, or {@code null} if there was no search. */
  static @Nullable LineChart tries(Board board, List<String> names) {
    List<LineChart.Line> lines = new ArrayList<>();
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
        percentile = Units.level(parsed.level()) + " of the ";
      }
      List<double[]> points = new ArrayList<>();
      for (Pace.Try each : pacing.tries()) {
        points.add(new double[] {each.rate(), Math.max(1, each.percentileNanos())});
      }
      points.sort((a, b) -> Double.compare(a[0], b[0]));
      Key key = Key.of(names, cell.configuration());
      lines.add(new LineChart.Line(key, cell.configuration(), false, points));
    }
    if (lines.isEmpty()) {
      return null;
    }
    double[] times = Arrays.copyOf(all(lines, 1), all(lines, 1).length + 1);
    times[times.length - 1] = limit == null ? times[0] : limit;
    return new LineChart(
        board.phase() + ": response time at the rates that were tried",
        "Response times at the rates that were tried; the table holds the same figures",
        Axis.fitting("operations per second", Axis.Unit.RATE, all(lines, 0), true),
        Axis.fitting(percentile + "response time", Axis.Unit.TIME, times, true),
        lines,
        limit);
  }

  static LineChart sweep(SweepSummary sweep, SweepSummary.Group group, SweepSummary.Phase phase) {
    List<LineChart.Line> lines = new ArrayList<>();
    List<double[]> everything = new ArrayList<>();
    for (SweepSummary.Line line : phase.lines()) {
      List<double[]> points = new ArrayList<>();
      List<double[]> whiskers = new ArrayList<>();
      List<double[]> hollow = new ArrayList<>();
      for (SweepSummary.Figure figure : line.figures()) {
        double[] point = {figure.value(), figure.median()};
        (figure.projected() ? hollow : points).add(point);
        everything.add(point);
        Interval interval = figure.interval();
        if (interval != null && interval.high() <= MOST_DRAWN * interval.low()) {
          whiskers.add(new double[] {figure.value(), interval.low(), interval.high()});
          everything.add(new double[] {figure.value(), interval.low()});
          everything.add(new double[] {figure.value(), interval.high()});
        }
      }
      Key key = Key.of(group.names(), line.configuration());
      lines.add(
          new LineChart.Line(key, line.configuration(), false, points, whiskers, hollow, null));
    }
    String title =
        phase.name()
            + ": "
            + phase.measure()
            + (phase.single() ? ", less" : ", more")
            + " is better";
    double[] values = everything.stream().mapToDouble(point -> point[0]).toArray();
    double[] figures = everything.stream().mapToDouble(point -> point[1]).toArray();
    Axis.Unit unit = phase.single() ? Axis.Unit.TIME : Axis.Unit.RATE;
    return new LineChart(
        title,
        "Line chart over " + sweep.words() + " of " + title + "; the table has its figures",
        Axis.fitting(sweep.words(), Axis.Unit.NUMBER, values, sweep.wide()),
        spans(all(lines, 1))
            ? Axis.fitting(phase.measure(), unit, figures, true)
            : Axis.fromZero(phase.measure(), unit, figures),
        lines,
        null);
  }

  /** One figure of each point of all lines. */
  private static double[] all(List<LineChart.Line> lines, int which) {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(point -> point[which])
        .toArray();
  }

  /** Whether the figures are so far apart that only a logarithmic axis shows them all. */
  private static boolean spans(double[] figures) {
    double least = Arrays.stream(figures).min().orElse(1);
    return Arrays.stream(figures).max().orElse(1) > 10 * least;
  }

  /** One of two figures that configurations are set against. */
  enum Cost {
    SPACE("bytes on disk per live byte, at rest", Axis.Unit.NUMBER),
    CPU("processor time per operation", Axis.Unit.TIME);

    final String words;
    private final Axis.Unit unit;

    Cost(String words, Axis.Unit unit) {
      this.words = words;
      this.unit = unit;
    }

    String text(double value) {
      return unit.text(value);
    }

    private double of(Cell cell, List<Costs> costs) {
      return this == CPU
          ? cell.costs().cpuNanos()
          : costs.stream()
              .filter(each -> each.configuration().equals(cell.configuration()))
              .mapToDouble(Costs::space)
              .findFirst()
              .orElse(Double.NaN);
    }
  }

  /** The other one. */
  enum Latency {
    P50("median latency", cell -> percentile(cell, 0.5)),
    P99("p99 latency", cell -> percentile(cell, 0.99)),
    // at a fixed rate, the time per operation is the pacer's
    TIME(
        "time per operation",
        cell -> cell.pacing() == null ? 1e9 / cell.rate().median() : Double.NaN);

    final String words;

    @SuppressWarnings("ImmutableEnumChecker") // none of the functions holds anything
    private final ToDoubleFunction<Cell> figure;

    Latency(String words, ToDoubleFunction<Cell> figure) {
      this.words = words;
      this.figure = figure;
    }

    private static double percentile(Cell cell, double level) {
      Latencies latencies = cell.felt();
      Long nanos = latencies == null ? null : latencies.at(level);
      return nanos == null ? Double.NaN : nanos;
    }
  }

  /** A phase's latency against a cost, or {@code null} if fewer than two have both. */
  static @Nullable ScatterChart scatter(
      Board board, Latency latency, Cost cost, List<Costs> costs, List<String> names) {
    List<ScatterChart.Spot> spots = new ArrayList<>();
    for (Cell cell : board.cells()) {
      double x = cost.of(cell, costs);
      double y = latency.figure.applyAsDouble(cell);
      if (x > 0 && y > 0) {
        String name = cell.configuration();
        spots.add(new ScatterChart.Spot(Key.of(names, name), name, x, y, false));
      }
    }
    if (spots.size() < 2) {
      return null;
    }
    double[] xs = spots.stream().mapToDouble(ScatterChart.Spot::x).toArray();
    double[] ys = spots.stream().mapToDouble(ScatterChart.Spot::y).toArray();
    String title = board.phase() + ": " + latency.words + " against " + cost.words;
    return new ScatterChart(
        title + ", less of both is better",
        title + "; the table below has the same figures and names those that none beats",
        Axis.fitting(cost.words, cost.unit, xs, spans(xs)),
        Axis.fitting(latency.words, Axis.Unit.TIME, ys, spans(ys)),
        ScatterChart.ranked(spots));
  }
}
