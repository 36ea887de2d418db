package io.kvstadium.bench.report.chart;

import io.kvstadium.bench.report.table.Markup;
import io.kvstadium.bench.report.table.SeriesStyle;
import java.util.List;
import java.util.stream.Collectors;

/** The rectangle between two axes, and what is drawn in it. */
final class Plot {
  static final double LEFT = 62;
  private static final double TOP = 24;
  private static final double CHARACTER = 6.2;

  final Markup out = new Markup();
  final double right;
  private final double foot;
  private final Axis x;
  private final Axis y;

  /**
   * Draws the axes.
   *
   * @param height without what is drawn below the axis and its name
   * @param below room for more below those
   */
  Plot(Chart chart, Axis x, Axis y, double width, double height, double below) {
    this.x = x;
    this.y = y;
    this.right = width - 14;
    this.foot = height - 40;
    chart.open(out, width, height + below, scale(x, LEFT, right), scale(y, foot, TOP));
    out.open("g.axis");
    double free = Double.NEGATIVE_INFINITY;
    for (double tick : x.ticks()) {
      String text = x.unit().text(tick);
      double half = text.length() * CHARACTER / 2;
      path("grid", "M%s,%sL%s,%s", x(tick), TOP, x(tick), foot);
      if (x(tick) - half > free) {
        label(text, Math.min(x(tick), width - half), foot + 15, "middle");
        free = x(tick) + half + CHARACTER;
      }
    }
    for (double tick : y.ticks()) {
      path("grid", "M%s,%sL%s,%s", LEFT, y(tick), right, y(tick));
      label(y.unit().text(tick), LEFT - 6, y(tick) + 4, "end");
    }
    path("edge", "M%s,%sV%sH%s", LEFT, TOP, foot, right);
    label(x.name(), (LEFT + right) / 2, height - 6, "middle");
    label(y.name(), 2, 12, "start");
    out.close();
  }

  /** What a script needs to compute figures from positions. */
  private static String scale(Axis axis, double from, double to) {
    String kind = axis.unit() + (axis.log() ? " log " : " linear ");
    return kind + axis.low() + " " + axis.high() + Markup.path(" %s %s", from, to);
  }

  /** The position of a figure, from the left. */
  double x(double figure) {
    return LEFT + x.at(figure) * (right - LEFT);
  }

  /** The position of a figure, from the top; figures beyond the axis are drawn at its end. */
  double y(double figure) {
    return foot - Math.clamp(y.at(figure), 0, 1) * (foot - TOP);
  }

  void line(List<double[]> points) {
    out.empty(
        "polyline",
        "points",
        points.stream()
            .map(point -> Markup.path("%s,%s", x(point[0]), y(point[1])))
            .collect(Collectors.joining(" ")));
  }

  /** Draws one of the page's markers; their centre is at 12, 5. */
  void marker(SeriesStyle key, double x, double y) {
    out.empty("use", "href", "#m" + key.marker(), "x", x - 12, "y", y - 5);
  }

  void path(String style, String form, double... coordinates) {
    out.empty("path." + style, "d", Markup.path(form, coordinates));
  }

  void label(String text, double x, double y, String anchor) {
    out.element("text", text, "x", x, "y", y, "text-anchor", anchor);
  }

  String done() {
    return out.close().toString();
  }
}
