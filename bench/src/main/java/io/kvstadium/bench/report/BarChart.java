package io.kvstadium.bench.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bars with the ends of their intervals.
 *
 * @param time whether the figures are nanoseconds, else operations per second
 */
record BarChart(String title, String label, boolean time, List<Bar> bars) implements Chart {
  private static final double WIDTH = 340;
  private static final double RIGHT = 12;

  /**
   * One bar.
   *
   * @param text the figure as it is written
   * @param interval the same with its interval
   */
  record Bar(
      Key key,
      String name,
      double value,
      @Nullable Double low,
      @Nullable Double high,
      String text,
      String interval) {}

  /**
   * An interval over two or three trials may be a thousand times its figure: it leaves the chart to
   * the right instead of pressing the bars flat.
   */
  private double end() {
    double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
    double high =
        bars.stream()
            .mapToDouble(bar -> bar.high() == null ? bar.value() : bar.high())
            .max()
            .orElse(1);
    return Math.min(high, 2 * most);
  }

  @Override
  public String svg() {
    Axis axis = Axis.linear("", time ? Axis.Unit.TIME : Axis.Unit.RATE, 0, end());
    boolean many = bars.size() > 12;
    double row = many ? 30 : 38;
    double height = bars.size() * row + 24;
    Markup out = new Markup();
    out.open(
        "svg",
        "class",
        "chart",
        "viewBox",
        "0 0 " + Markup.number(WIDTH) + " " + Markup.number(height),
        "role",
        "img",
        "aria-label",
        label);
    out.open("g", "class", "axis");
    for (int i = 0; i < axis.ticks().size(); i++) {
      double x = x(axis, axis.ticks().get(i));
      String foot = Markup.number(height - 18);
      out.empty(
          "path", "class", i == 0 ? "edge" : "grid", "d", "M" + Markup.number(x) + ",0V" + foot);
      String text = axis.unit().text(axis.ticks().get(i));
      out.element(
          "text",
          text,
          "x",
          Markup.number(i == 0 ? 0 : Math.min(x, WIDTH - 3.3 * text.length())),
          "y",
          Markup.number(height - 5),
          "text-anchor",
          i == 0 ? "start" : "middle");
    }
    out.close();
    for (int i = 0; i < bars.size(); i++) {
      bar(out, axis, bars.get(i), i * row + (many ? 13 : 15), many ? 8 : 12);
    }
    return out.close().toString();
  }

  private static void bar(Markup out, Axis axis, Bar bar, double y, double thickness) {
    out.open("g", "class", "bar " + bar.key().style());
    out.element("title", bar.name() + ": " + bar.interval());
    out.open("text", "x", "3", "y", Markup.number(y)).text(bar.name() + " ");
    out.element("tspan", bar.text()).close();
    double top = y + 5;
    out.empty(
        "rect",
        "x",
        Markup.number(x(axis, 0)),
        "y",
        Markup.number(top),
        "width",
        Markup.number(Math.max(1, x(axis, bar.value()) - x(axis, 0))),
        "height",
        Markup.number(thickness));
    if (bar.low() != null && bar.high() != null) {
      double from = x(axis, bar.low());
      double to = x(axis, Math.min(bar.high(), axis.high()));
      double middle = top + thickness / 2;
      String ends = "v6m0,-3";
      out.empty(
          "path",
          "class",
          "reach",
          "d",
          Plot.move(from, middle - 3)
              + ends
              + "H"
              + Markup.number(to)
              + (bar.high() > axis.high() ? "" : "m0,-3v6"));
    }
    out.close();
  }

  private static double x(Axis axis, double figure) {
    return 1 + axis.at(figure) * (WIDTH - RIGHT - 1);
  }
}
