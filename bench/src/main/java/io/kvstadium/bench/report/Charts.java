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

  static BarChart bars(PhaseRanking ranking, List<String> names) {
    List<BarChart.Bar> bars = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      Estimate shown = ranking.single() ? standing.rate().reciprocal() : standing.rate();
      double unit = ranking.single() ? 1e9 : 1;
      Interval interval = shown.interval();
      String reach = ranking.interval(standing);
      bars.add(
          new BarChart.Bar(
              Key.of(names, standing.configuration()),
              standing.configuration(),
              shown.median() * unit,
              interval == null ? null : interval.low() * unit,
              interval == null ? null : interval.high() * unit,
              ranking.figure(standing),
              ranking.figure(standing) + (reach.isEmpty() ? "" : ", " + reach)));
    }
    String measure =
        ranking.measure() + (ranking.single() ? ", less is better" : ", more is better");
    return new BarChart(
        ranking.phase() + ": " + measure,
        "Bar chart of " + ranking.phase() + ", " + measure + "; the table holds the same figures",
        ranking.single(),
        bars);
  }

  /** {@code null} if the phase has no percentiles. */
  static @Nullable LineChart curves(PhaseRanking ranking, List<String> names) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      Key key = Key.of(names, standing.configuration());
      boolean paced = standing.pacing() != null;
      if (paced && standing.callerLatencies() != null) {
        String name = standing.configuration() + ", response";
        lines.add(new LineChart.Line(key, name, false, curve(standing.callerLatencies())));
      }
      if (standing.latencies() != null) {
        String name = standing.configuration() + (paced ? ", service" : "");
        lines.add(new LineChart.Line(key, name, paced, curve(standing.latencies())));
      }
    }
    lines.removeIf(line -> line.points().isEmpty());
    if (lines.isEmpty()) {
      return null;
    }
    String y = ranking.paced() ? "response time (dashed: service)" : "service time (closed loop)";
    double nines = Arrays.stream(all(lines, 0)).max().orElse(1);
    return new LineChart(
        ranking.phase() + ": latency by percentile, less is better",
        "Latency percentile curves of " + ranking.phase() + "; the table holds p50 to max",
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
  static @Nullable LineChart throughput(PhaseRanking ranking, List<String> names) {
    List<LineChart.Line> lines = new ArrayList<>();
    double end = 0;
    for (Standing standing : ranking.standings()) {
      Throughput throughput = standing.throughput();
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
                Key.of(names, standing.configuration()),
                standing.configuration(),
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
            ranking.phase() + ": throughput over time",
            "Throughput of "
                + ranking.phase()
                + " over time, of each configuration's median trial; the table sums it up",
            Axis.linear("seconds", Axis.Unit.NUMBER, 0, end),
            Axis.fromZero("operations per second", Axis.Unit.RATE, all(lines, 1)),
            lines,
            null);
  }

  /** The rates that searches tried, or {@code null} if there was no search. */
  static @Nullable LineChart tries(PhaseRanking ranking, List<String> names) {
    List<LineChart.Line> lines = new ArrayList<>();
    Double limit = null;
    String percentile = "";
    for (Standing standing : ranking.standings()) {
      Pacing pacing = standing.pacing();
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
      Key key = Key.of(names, standing.configuration());
      lines.add(new LineChart.Line(key, standing.configuration(), false, points));
    }
    if (lines.isEmpty()) {
      return null;
    }
    double[] times = Arrays.copyOf(all(lines, 1), all(lines, 1).length + 1);
    times[times.length - 1] = limit == null ? times[0] : limit;
    return new LineChart(
        ranking.phase() + ": response time at the rates that were tried",
        "Response times at the rates that were tried; the table holds the same figures",
        Axis.fitting("operations per second", Axis.Unit.RATE, all(lines, 0), true),
        Axis.fitting(percentile + "response time", Axis.Unit.TIME, times, true),
        lines,
        limit);
  }

  static LineChart sweep(Sweep sweep, Sweep.Group group, Sweep.Phase phase) {
    List<LineChart.Line> lines = new ArrayList<>();
    List<double[]> everything = new ArrayList<>();
    for (Sweep.Series line : phase.lines()) {
      List<double[]> points = new ArrayList<>();
      List<double[]> whiskers = new ArrayList<>();
      List<double[]> hollow = new ArrayList<>();
      for (Sweep.Point figure : line.figures()) {
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

    private double of(Standing standing, List<Costs> costs) {
      return this == CPU
          ? standing.costs().cpuNanos()
          : costs.stream()
              .filter(each -> each.configuration().equals(standing.configuration()))
              .mapToDouble(Costs::space)
              .findFirst()
              .orElse(Double.NaN);
    }
  }

  /** The other one. */
  enum Latency {
    P50("median latency", standing -> percentile(standing, 0.5)),
    P99("p99 latency", standing -> percentile(standing, 0.99)),
    // at a fixed rate, the time per operation is the pacer's
    TIME(
        "time per operation",
        standing -> standing.pacing() == null ? 1e9 / standing.rate().median() : Double.NaN);

    final String words;

    @SuppressWarnings("ImmutableEnumChecker") // none of the functions holds anything
    private final ToDoubleFunction<Standing> figure;

    Latency(String words, ToDoubleFunction<Standing> figure) {
      this.words = words;
      this.figure = figure;
    }

    private static double percentile(Standing standing, double level) {
      Latencies latencies = standing.callerLatencies();
      Long nanos = latencies == null ? null : latencies.at(level);
      return nanos == null ? Double.NaN : nanos;
    }
  }

  /** A phase's latency against a cost, or {@code null} if fewer than two have both. */
  static @Nullable ScatterChart scatter(
      PhaseRanking ranking, Latency latency, Cost cost, List<Costs> costs, List<String> names) {
    List<ScatterChart.Spot> spots = new ArrayList<>();
    for (Standing standing : ranking.standings()) {
      double x = cost.of(standing, costs);
      double y = latency.figure.applyAsDouble(standing);
      if (x > 0 && y > 0) {
        String name = standing.configuration();
        spots.add(new ScatterChart.Spot(Key.of(names, name), name, x, y, false));
      }
    }
    if (spots.size() < 2) {
      return null;
    }
    double[] xs = spots.stream().mapToDouble(ScatterChart.Spot::x).toArray();
    double[] ys = spots.stream().mapToDouble(ScatterChart.Spot::y).toArray();
    String title = ranking.phase() + ": " + latency.words + " against " + cost.words;
    return new ScatterChart(
        title + ", less of both is better",
        title + "; the table below has the same figures and names those that none beats",
        Axis.fitting(cost.words, cost.unit, xs, spans(xs)),
        Axis.fitting(latency.words, Axis.Unit.TIME, ys, spans(ys)),
        ScatterChart.ranked(spots));
  }
}
