package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the page's script draws; the field names are those that it reads. */
sealed interface Chart {
  /** Number of the element on the page, from 0. */
  int id();

  /** What to read out where it cannot be seen. */
  String label();

  /**
   * Bars with the ends of their intervals.
   *
   * @param kind {@code bars}, for the script
   * @param time whether the figures are nanoseconds, else operations per second
   */
  record Bars(int id, String kind, String title, String label, boolean time, List<Bar> bars)
      implements Chart {}

  /**
   * One bar.
   *
   * @param series number of the configuration's colour
   * @param text the figure as it is written
   */
  record Bar(
      String name,
      int series,
      double value,
      @Nullable Double low,
      @Nullable Double high,
      String text) {}

  /** Latency over percentile. */
  record Curves(int id, String kind, String title, String label, List<Curve> curves)
      implements Chart {}

  /**
   * One line.
   *
   * @param series number of the configuration's colour
   * @param points {@code [-log10(1 - percentile), nanoseconds]}
   */
  record Curve(String name, int series, List<double[]> points) {}

  /** How many colours the page has; further configurations start over. */
  int SERIES = 8;

  /** The number of a configuration's colour, the same in all charts and tables of its group. */
  static int series(List<String> names, String name) {
    return names.indexOf(name) % SERIES;
  }

  static Bars bars(int id, Board board, List<String> names) {
    List<Bar> bars = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Estimate rate = cell.rate();
      Estimate shown = board.single() ? rate.reciprocal() : rate;
      double unit = board.single() ? 1e9 : 1;
      Interval interval = shown.interval();
      bars.add(
          new Bar(
              cell.configuration(),
              series(names, cell.configuration()),
              shown.median() * unit,
              interval == null ? null : interval.low() * unit,
              interval == null ? null : interval.high() * unit,
              board.figure(cell)));
    }
    String measure = board.single() ? "time, less is better" : "rate, more is better";
    return new Bars(
        id,
        "bars",
        board.phase() + ": " + measure,
        "Bar chart of " + board.phase() + ", " + measure + "; the table holds the same figures",
        board.single(),
        bars);
  }

  /** {@code null} if the phase has no latencies. */
  static @Nullable Curves curves(int id, Board board, List<String> names) {
    List<Curve> curves = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Latencies latencies = cell.latencies();
      if (latencies != null && !latencies.points().isEmpty()) {
        curves.add(
            new Curve(
                cell.configuration(),
                series(names, cell.configuration()),
                latencies.points().stream()
                    .map(p -> new double[] {-Math.log10(1 - p.level()), Math.max(1, p.nanos())})
                    .toList()));
      }
    }
    return curves.isEmpty()
        ? null
        : new Curves(
            id,
            "curves",
            board.phase() + ": latency by percentile, less is better",
            "Latency percentile curves of " + board.phase() + "; the table holds p50 to max",
            curves);
  }
}
