package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.FigureEstimate;
import io.kvstadium.bench.report.analysis.FigureTrials;
import io.kvstadium.bench.report.analysis.Measure;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.analysis.Sweep;
import io.kvstadium.bench.report.analysis.Throughput;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.chart.Axis;
import io.kvstadium.bench.report.chart.BarChart;
import io.kvstadium.bench.report.chart.LineChart;
import io.kvstadium.bench.report.chart.LineChart.Line;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the charts of a report. */
final class Charts {
  /** An interval wider than this factor would squeeze everything else; it is only in the table. */
  private static final double MAX_DRAWN = 100;

  private Charts() {}

  static BarChart bars(PhaseRanking ranking) {
    String title = ranking.phase() + ": " + better(ranking.measure());
    return new BarChart(
        title,
        "Bar chart of " + title + "; the table has the same figures",
        unit(ranking.measure()),
        ranking.all().stream()
            .sorted(Comparator.comparingDouble(own -> -own.rate().mean()))
            .map(own -> bar(own, ranking.outside().contains(own) ? ", not compared" : ""))
            .toList());
  }

  private static BarChart.Bar bar(Standing own, String remark) {
    FigureEstimate figure = own.figure();
    return new BarChart.Bar(
        own.style(),
        own.configuration() + remark,
        figure.mean(),
        figure.interval(),
        figure.text(),
        figure.range());
  }

  private static Axis.Unit unit(Measure measure) {
    return switch (measure.figure().unit()) {
      case TIME -> Axis.Unit.TIME;
      case RATE -> Axis.Unit.RATE;
      default -> Axis.Unit.NUMBER;
    };
  }

  private static String better(Measure measure) {
    return measure.words() + ", " + measure.figure().better().word() + " is better";
  }

  /** {@code null} if the phase has no percentiles. */
  static @Nullable LineChart curves(PhaseRanking ranking) {
    List<Line> lines = new ArrayList<>();
    for (Details.Timed each : Details.Timed.of(ranking)) {
      List<double[]> curve = curve(each.latencies());
      if (!curve.isEmpty() && each.operation().isEmpty()) {
        lines.add(new Line(each.own().style(), each.name(), each.lesser(), curve));
      }
    }
    return curves(ranking.phase(), ranking.atFixedRate(), lines);
  }

  /** The curves of a phase, or {@code null} if there are none. */
  private static @Nullable LineChart curves(String phase, boolean atFixedRate, List<Line> lines) {
    if (lines.isEmpty()) {
      return null;
    }
    String y = atFixedRate ? "response time (dashed: service)" : "service time (closed loop)";
    return new LineChart(
        phase + ": latency by percentile, lower is better",
        "Latency percentile curves of " + phase + "; the table has p50 to max",
        Axis.nines(Arrays.stream(all(lines, 0)).max().orElse(1)),
        Axis.fitting(y, Axis.Unit.TIME, all(lines, 1), true),
        lines);
  }

  private static List<double[]> curve(Latencies latencies) {
    return latencies.points().stream()
        .map(p -> new double[] {-Math.log10(1 - p.level()), Math.max(1, p.nanos())})
        .toList();
  }

  /**
   * What callers waited for in several runs of a phase, or {@code null} if that was not recorded
   * for single operations.
   */
  static @Nullable LineChart curves(String phase, Map<String, Trials> runs) {
    List<Line> lines = new ArrayList<>();
    boolean atFixedRate = false;
    for (Map.Entry<String, Trials> each : runs.entrySet()) {
      Latencies latencies = each.getValue().samples().latencies(Samples.Times.CALLER);
      List<double[]> curve = latencies == null ? List.of() : curve(latencies);
      if (!curve.isEmpty()) {
        lines.add(new Line(new SeriesStyle(lines.size()), each.getKey(), false, curve));
        atFixedRate |= each.getValue().atFixedRate();
      }
    }
    return curves(phase, atFixedRate, lines);
  }

  /** {@code null} if the throughput over time was not recorded. */
  static @Nullable LineChart throughput(PhaseRanking ranking) {
    List<Line> lines = new ArrayList<>();
    double end = 0;
    for (Standing own : ranking.all()) {
      Throughput shown = own.throughput();
      if (shown != null) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < shown.rates().size(); i++) {
          points.add(new double[] {(i + 0.5) * shown.seconds(), shown.rates().get(i)});
        }
        points.removeIf(point -> Double.isNaN(point[1]));
        end = Math.max(end, shown.rates().size() * shown.seconds());
        String name = own.configuration();
        var strip = new LineChart.Strip(shown.seconds(), shown.collections(), shown.compactions());
        lines.add(new Line(own.style(), name, false, points, List.of(), strip));
      }
    }
    return lines.isEmpty()
        ? null
        : new LineChart(
            ranking.phase() + ": throughput over time",
            "Throughput of %s over time, of each configuration's median trial; the table sums it up"
                .formatted(ranking.phase()),
            Axis.linear("seconds", Axis.Unit.NUMBER, 0, end),
            Axis.fromZero("operations per second", Axis.Unit.RATE, all(lines, 1)),
            lines);
  }

  static LineChart sweep(Sweep sweep, Sweep.Phase phase) {
    List<Line> lines = new ArrayList<>();
    List<double[]> everything = new ArrayList<>();
    phase
        .lines()
        .forEach((style, figures) -> {
          List<double[]> points = new ArrayList<>();
          List<double[]> whiskers = new ArrayList<>();
          figures.forEach((value, own) -> {
            FigureEstimate figure = own.figure();
            Interval interval = figure.interval();
            points.add(new double[] {value, figure.mean()});
            if (interval != null && interval.high() <= MAX_DRAWN * interval.low()) {
              whiskers.add(new double[] {value, interval.low(), interval.high()});
              everything.add(new double[] {value, interval.low()});
              everything.add(new double[] {value, interval.high()});
            }
          });
          everything.addAll(points);
          String name = figures.values().iterator().next().configuration();
          lines.add(new Line(style, name, false, points, whiskers, null));
        });
    String title = phase.name() + ": " + better(phase.measure());
    double[] values = everything.stream().mapToDouble(point -> point[0]).toArray();
    double[] figures = everything.stream().mapToDouble(point -> point[1]).toArray();
    Axis.Unit unit = unit(phase.measure());
    return new LineChart(
        title,
        "Line chart over " + sweep.parameter() + " of " + title + "; the table has its figures",
        Axis.fitting(sweep.parameter(), Axis.Unit.NUMBER, values, sweep.wide()),
        Axis.spans(all(lines, 1))
            ? Axis.fitting(phase.measure().words(), unit, figures, true)
            : Axis.fromZero(phase.measure().words(), unit, figures),
        lines);
  }

  /** A figure over runs, with each run's interval, and dashed the means between changes. */
  static LineChart history(String title, Map<History.Series, SeriesStyle> all) {
    List<Line> lines = new ArrayList<>();
    int runs = 1;
    for (Map.Entry<History.Series, SeriesStyle> each : all.entrySet()) {
      List<double[]> points = new ArrayList<>();
      List<double[]> whiskers = new ArrayList<>();
      List<@Nullable FigureTrials> figures = each.getKey().figures();
      runs = Math.max(runs, figures.size());
      for (int i = 0; i < figures.size(); i++) {
        FigureTrials own = figures.get(i);
        if (own != null) {
          FigureEstimate estimate = own.estimate();
          Interval interval = estimate.interval();
          points.add(new double[] {i + 1, estimate.mean()});
          if (interval != null && interval.high() <= MAX_DRAWN * interval.low()) {
            whiskers.add(new double[] {i + 1, interval.low(), interval.high()});
          }
        }
      }
      String name = each.getKey().part().configuration();
      lines.add(new Line(each.getValue(), name, false, points, whiskers, null));
      if (!each.getKey().changes().isEmpty()) {
        lines.add(new Line(each.getValue(), name + ", mean", true, each.getKey().steps()));
      }
    }
    Figure figure = all.keySet().iterator().next().first().figure();
    Measure measure = new Measure(figure.head().isEmpty() ? "rate" : figure.head(), figure);
    double[] figures =
        lines.stream()
            .flatMap(line -> Stream.concat(line.points().stream(), line.whiskers().stream()))
            .flatMapToDouble(point -> Arrays.stream(point).skip(1))
            .toArray();
    return new LineChart(
        title + ": " + better(measure),
        "Line chart over runs of " + title + "; the table has the first and the last",
        Axis.linear("run", Axis.Unit.NUMBER, 1, runs),
        Axis.spans(figures)
            ? Axis.fitting(measure.words(), unit(measure), figures, true)
            : Axis.fromZero(measure.words(), unit(measure), figures),
        lines);
  }

  /** One figure of each point of all lines. */
  private static double[] all(List<Line> lines, int coordinate) {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(point -> point[coordinate])
        .toArray();
  }
}
