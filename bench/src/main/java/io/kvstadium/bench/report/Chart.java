package io.kvstadium.bench.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the page's script draws; the field names are those that it reads. */
sealed interface Chart {
  /** Number of the element on the page, from 0. */
  int id();

  /** Stands above it. */
  String title();

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
   * @param series number of the configuration
   * @param text the figure as it is written
   */
  record Bar(
      String name,
      int series,
      double value,
      @Nullable Double low,
      @Nullable Double high,
      String text) {}

  /**
   * Lines over a common axis.
   *
   * @param kind {@code lines}, for the script
   * @param limit a bound to draw across, in the unit of y, or {@code null}
   */
  record Lines(
      int id,
      String kind,
      String title,
      String label,
      Axis x,
      Axis y,
      List<Line> lines,
      @Nullable Double limit)
      implements Chart {}

  /**
   * One direction of a chart.
   *
   * @param name what it shows, with its unit where figures do not have theirs
   * @param unit how figures are written: {@code percentile} (−log10(1 − fraction)), {@code
   *     seconds}, {@code time} (nanoseconds), {@code rate} or {@code number}
   * @param log whether it is logarithmic
   */
  record Axis(String name, String unit, boolean log) {}

  /**
   * One line.
   *
   * @param series number of the configuration
   * @param dashed whether it is the lesser one of two of the same configuration
   * @param points x and y
   * @param whiskers x, and the ends of an interval of y
   * @param hollow points with whiskers that were not measured but projected
   * @param strip what was at work in the background, or {@code null}
   */
  record Line(
      String name,
      int series,
      boolean dashed,
      List<double[]> points,
      List<double[]> whiskers,
      List<double[]> hollow,
      @Nullable Strip strip) {
    Line(String name, int series, boolean dashed, List<double[]> points) {
      this(name, series, dashed, points, List.of(), List.of(), null);
    }
  }

  /**
   * Marks along the axis of time.
   *
   * @param step seconds of an interval
   * @param collections numbers of the intervals with garbage collections
   * @param compactions numbers of the intervals with compactions
   */
  record Strip(double step, List<Integer> collections, List<Integer> compactions) {}

  /**
   * Latency against what it costs; the reader chooses the axes.
   *
   * @param kind {@code scatter}, for the script
   * @param phases that can be chosen
   * @param spots one for each configuration
   */
  record Scatter(
      int id, String kind, String title, String label, List<String> phases, List<Spot> spots)
      implements Chart {}

  /**
   * One configuration.
   *
   * @param series its number
   * @param space bytes on disk per live byte, or {@code null} if unknown
   * @param phases its figures in each phase, {@code null} where there are none
   */
  record Spot(String name, int series, @Nullable Double space, List<@Nullable SpotPhase> phases) {}

  /** Nanoseconds, each {@code null} if unknown; {@code time} is elapsed time per operation. */
  record SpotPhase(
      @Nullable Double cpu, @Nullable Double p50, @Nullable Double p99, @Nullable Double time) {}
}
