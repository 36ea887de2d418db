package io.kvstadium.bench.report;

import java.util.List;

/** The rectangle between two axes, and what is drawn into it. */
final class Plot {
  private static final double LEFT = 62;
  private static final double RIGHT = 14;
  private static final double TOP = 24;
  private static final double FOOT = 40;
  private static final double CHARACTER = 6.2;

  private final Markup out = new Markup();
  private final Axis x;
  private final Axis y;
  private final double width;
  private final double height;

  /**
   * Draws the axes.
   *
   * @param height without what comes below the axis and its name
   * @param below room for more below those
   */
  Plot(Chart chart, Axis x, Axis y, double width, double height, double below) {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
    out.open(
        "svg",
        "class",
        "chart",
        "viewBox",
        "0 0 " + Markup.number(width) + " " + Markup.number(height + below),
        "role",
        "img",
        "aria-label",
        chart.label(),
        "data-x",
        told(x, LEFT, width - RIGHT),
        "data-y",
        told(y, height - FOOT, TOP));
    out.open("g", "class", "axis");
    double free = Double.NEGATIVE_INFINITY;
    for (double tick : x.ticks()) {
      String text = x.unit().text(tick);
      double half = text.length() * CHARACTER / 2;
      grid(x(tick), TOP, x(tick), height - FOOT);
      if (x(tick) - half > free) {
        double middle = Math.min(x(tick), width - half);
        label(text, middle, height - FOOT + 15, "middle");
        free = x(tick) + half + CHARACTER;
      }
    }
    for (double tick : y.ticks()) {
      grid(LEFT, y(tick), width - RIGHT, y(tick));
      label(y.unit().text(tick), LEFT - 6, y(tick) + 4, "end");
    }
    path("edge", move(LEFT, TOP) + "V" + Markup.number(height - FOOT) + "H" + (width - RIGHT));
    label(x.name(), (LEFT + width - RIGHT) / 2, height - 6, "middle");
    label(y.name(), 2, 12, "start");
    out.close();
  }

  /** What a script needs to find the figures from places. */
  private static String told(Axis axis, double from, double to) {
    return String.join(
        " ",
        axis.unit().name(),
        axis.log() ? "log" : "linear",
        Double.toString(axis.low()),
        Double.toString(axis.high()),
        Markup.number(from),
        Markup.number(to));
  }

  Markup out() {
    return out;
  }

  /** Where a figure lies, from the left. */
  double x(double figure) {
    return LEFT + x.at(figure) * (width - RIGHT - LEFT);
  }

  /** Where a figure lies, from the top; what is beyond the axis lies at its end. */
  double y(double figure) {
    return height - FOOT - Math.clamp(y.at(figure), 0, 1) * (height - FOOT - TOP);
  }

  double left() {
    return LEFT;
  }

  double right() {
    return width - RIGHT;
  }

  void line(List<double[]> points) {
    StringBuilder all = new StringBuilder();
    points.forEach(point ->
        all.append(all.isEmpty() ? "" : " ")
            .append(Markup.number(x(point[0])))
            .append(',')
            .append(Markup.number(y(point[1]))));
    out.empty("polyline", "points", all.toString());
  }

  /** A marker of the page's own; their middle is at 12, 5. */
  void marker(int number, double x, double y) {
    out.empty("use", "href", "#m" + number, "x", Markup.number(x - 12), "y", Markup.number(y - 5));
  }

  void path(String style, String path) {
    out.empty("path", "class", style, "d", path);
  }

  void label(String text, double x, double y, String anchor) {
    out.element("text", text, "x", Markup.number(x), "y", Markup.number(y), "text-anchor", anchor);
  }

  private void grid(double x1, double y1, double x2, double y2) {
    path("grid", move(x1, y1) + "L" + Markup.number(x2) + "," + Markup.number(y2));
  }

  static String move(double x, double y) {
    return "M" + Markup.number(x) + "," + Markup.number(y);
  }

  String done() {
    return out.close().toString();
  }
}
