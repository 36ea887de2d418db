package io.kvstadium.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines over a common axis.
 *
 * @param limit a bound to draw across, in the unit of y, or {@code null}
 */
record LineChart(
    String title, String label, Axis x, Axis y, List<Line> lines, @Nullable Double limit)
    implements Chart {
  private static final double WIDTH = 460;
  private static final double HEIGHT = 262;
  private static final int MANY = 12;

  /**
   * One line.
   *
   * @param dashed whether it is the lesser one of two of the same configuration
   * @param points x and y
   * @param whiskers x, and the ends of an interval of y
   * @param hollow points that were not measured but projected
   * @param strip what was at work in the background, or {@code null}
   */
  record Line(
      Key key,
      String name,
      boolean dashed,
      List<double[]> points,
      List<double[]> whiskers,
      List<double[]> hollow,
      @Nullable Strip strip) {
    Line(Key key, String name, boolean dashed, List<double[]> points) {
      this(key, name, dashed, points, List.of(), List.of(), null);
    }
  }

  /**
   * Warnings along the axis of time.
   *
   * @param step seconds of an interval
   * @param collections numbers of the intervals with garbage collections
   * @param compactions numbers of the intervals with compactions
   */
  record Strip(double step, List<Integer> collections, List<Integer> compactions) {
    boolean any() {
      return !collections.isEmpty() || !compactions.isEmpty();
    }
  }

  @Override
  public String svg() {
    List<Line> stripped = new ArrayList<>(lines);
    stripped.removeIf(line -> line.strip() == null || !line.strip().any());
    double row = stripped.size() > MANY ? 4 : 9;
    double below = stripped.isEmpty() ? 0 : stripped.size() * row + 6;
    Plot plot = new Plot(this, x, y, WIDTH, HEIGHT, below);
    for (int i = 0; i < lines.size(); i++) {
      draw(plot, lines.get(i), i);
    }
    if (limit != null) {
      double at = plot.y(limit);
      plot.out().open("g", "class", "limit");
      plot.path("", Plot.move(plot.left(), at) + "H" + Markup.number(plot.right()));
      plot.label("limit " + y.unit().text(limit), plot.left() + 4, at - 4, "start");
      plot.out().close();
    }
    for (int i = 0; i < stripped.size(); i++) {
      strip(plot, stripped.get(i), HEIGHT + (i + 0.5) * row, row);
    }
    return plot.done();
  }

  private static void draw(Plot plot, Line line, int number) {
    String style = "line " + line.key().style() + (line.dashed() ? " lesser" : "");
    plot.out().open("g", "class", style);
    plot.out().element("title", line.name());
    plot.line(line.points());
    // here and there, not at the same places of all lines
    boolean few = line.points().size() <= 14;
    int every = line.points().size() > 40 ? 24 : 9;
    for (int at = 0; at < line.points().size(); at++) {
      if (!line.dashed() && (few || (at + number * 3) % every == 4)) {
        double[] point = line.points().get(at);
        plot.marker(line.key().marker(), plot.x(point[0]), plot.y(point[1]));
      }
    }
    StringBuilder reach = new StringBuilder();
    for (double[] whisker : line.whiskers()) {
      reach
          .append(Plot.move(plot.x(whisker[0]) - 4, plot.y(whisker[1])))
          .append("h8m-4,0V")
          .append(Markup.number(plot.y(whisker[2])))
          .append("m-4,0h8");
    }
    if (!reach.isEmpty()) {
      plot.path("reach", reach.toString());
    }
    for (double[] point : line.hollow()) {
      plot.out()
          .empty(
              "circle",
              "class",
              "empty",
              "cx",
              Markup.number(plot.x(point[0])),
              "cy",
              Markup.number(plot.y(point[1])),
              "r",
              "4.5");
    }
    plot.out().close();
  }

  /** Ticks for garbage collections and bars for compactions. */
  private static void strip(Plot plot, Line line, double y, double row) {
    Strip own = line.strip();
    if (own == null) {
      return;
    }
    double half = row > 5 ? 3.5 : 1.5;
    plot.out().open("g", "class", "strip " + line.key().style());
    StringBuilder bars = new StringBuilder();
    for (int i = 0; i < own.compactions().size(); i++) {
      int from = own.compactions().get(i);
      while (i + 1 < own.compactions().size()
          && own.compactions().get(i + 1) == own.compactions().get(i) + 1) {
        i++;
      }
      double to = plot.x((own.compactions().get(i) + 1) * own.step());
      bars.append(Plot.move(plot.x(from * own.step()), y + half / 2));
      bars.append('H').append(Markup.number(Math.min(to, plot.right())));
    }
    if (!bars.isEmpty()) {
      plot.path(row > 5 ? "" : "thin", bars.toString());
    }
    StringBuilder ticks = new StringBuilder();
    for (int each : own.collections()) {
      ticks.append(Plot.move(plot.x((each + 0.5) * own.step()), y - half)).append('v').append(half);
    }
    if (!ticks.isEmpty()) {
      plot.path("tick", ticks.toString());
    }
    plot.out().close();
  }
}
