package io.kvstadium.bench.report.chart;

import io.kvstadium.bench.report.table.Markup;
import io.kvstadium.bench.report.table.SeriesStyle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lines over a common axis. */
public record LineChart(String title, String label, Axis x, Axis y, List<Line> lines)
    implements Chart {
  private static final double WIDTH = 460;
  private static final double HEIGHT = 262;
  private static final int MANY = 12;

  /**
   * One line.
   *
   * @param dashed whether it is the secondary one of two lines of the same configuration
   * @param points x and y
   * @param whiskers x, and both ends of an interval of y
   * @param strip what was at work in the background, or {@code null}
   */
  public record Line(
      SeriesStyle key,
      String name,
      boolean dashed,
      List<double[]> points,
      List<double[]> whiskers,
      @Nullable Strip strip) {
    public Line(SeriesStyle key, String name, boolean dashed, List<double[]> points) {
      this(key, name, dashed, points, List.of(), null);
    }
  }

  /**
   * What was at work in the background, drawn below the axis.
   *
   * @param seconds how long an interval is
   * @param collections numbers of the intervals, from 0, with garbage collections
   * @param compactions numbers of the intervals with compactions, flushes or cleanings
   */
  public record Strip(double seconds, List<Integer> collections, List<Integer> compactions) {
    boolean quiet() {
      return collections.isEmpty() && compactions.isEmpty();
    }
  }

  @Override
  public String svg() {
    List<Line> stripped = new ArrayList<>(lines);
    stripped.removeIf(line -> line.strip() == null || line.strip().quiet());
    double row = stripped.size() > MANY ? 4 : 9;
    double below = stripped.isEmpty() ? 0 : stripped.size() * row + 6;
    Plot plot = new Plot(this, x, y, WIDTH, HEIGHT, below);
    for (int i = 0; i < lines.size(); i++) {
      draw(plot, lines.get(i), i);
    }
    for (int i = 0; i < stripped.size(); i++) {
      strip(plot, stripped.get(i), HEIGHT + (i + 0.5) * row, row);
    }
    return plot.done();
  }

  private static void draw(Plot plot, Line line, int number) {
    plot.out.open("g.line." + line.key().style() + (line.dashed() ? ".lesser" : ""));
    plot.out.element("title", line.name());
    plot.line(line.points());
    // only here and there, and at different places on each line
    boolean few = line.points().size() <= 14;
    int every = line.points().size() > 40 ? 24 : 9;
    for (int at = 0; at < line.points().size(); at++) {
      if (!line.dashed() && (few || (at + number * 3) % every == 4)) {
        double[] point = line.points().get(at);
        plot.marker(line.key(), plot.x(point[0]), plot.y(point[1]));
      }
    }
    for (double[] own : line.whiskers()) {
      double left = plot.x(own[0]) - 4;
      plot.path("reach", "M%s,%sh8m-4,0V%sm-4,0h8", left, plot.y(own[1]), plot.y(own[2]));
    }
    plot.out.close();
  }

  /** Ticks for garbage collections and bars for compactions. */
  private static void strip(Plot plot, Line line, double y, double row) {
    Strip own = line.strip();
    if (own == null) {
      return;
    }
    double half = row > 5 ? 3.5 : 1.5;
    plot.out.open("g.strip." + line.key().style());
    StringBuilder bars = new StringBuilder();
    List<Integer> at = own.compactions();
    for (int i = 0; i < at.size(); i++) {
      double from = plot.x(at.get(i) * own.seconds());
      while (i + 1 < at.size() && at.get(i + 1) == at.get(i) + 1) {
        i++;
      }
      double to = Math.min(plot.x((at.get(i) + 1) * own.seconds()), plot.right);
      bars.append(Markup.path("M%s,%sH%s", from, y + half / 2, to));
    }
    if (!bars.isEmpty()) {
      plot.path(row > 5 ? "" : "thin", bars.toString());
    }
    StringBuilder ticks = new StringBuilder();
    for (int each : own.collections()) {
      double tick = plot.x((each + 0.5) * own.seconds());
      ticks.append(Markup.path("M%s,%sv%s", tick, y - half, half));
    }
    if (!ticks.isEmpty()) {
      plot.path("tick", ticks.toString());
    }
    plot.out.close();
  }
}
