package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Interval;
import java.util.List;

/** Bars with the ends of their intervals. */
record BarChart(String title, String label, List<Bar> bars) implements Chart {
  private static final double WIDTH = 340;
  private static final double RIGHT = 12;

  record Bar(Key key, String name, Figure figure) {}

  /**
   * An interval over two or three trials may be a thousand times its figure: it runs off the chart
   * to the right instead of squeezing the bars.
   */
  private double end() {
    double most = 0;
    double high = 0;
    for (Bar bar : bars) {
      Interval own = bar.figure().interval();
      most = Math.max(most, bar.figure().median());
      high = Math.max(high, own == null ? bar.figure().median() : own.high());
    }
    return Math.min(high, 2 * most);
  }

  @Override
  public String svg() {
    Axis axis = Axis.linear("", Axis.Unit.of(bars.getFirst().figure()), 0, end());
    boolean many = bars.size() > 12;
    double row = many ? 30 : 38;
    double height = bars.size() * row + 24;
    Markup out = new Markup();
    open(out, WIDTH, height);
    out.open("g.axis");
    for (int i = 0; i < axis.ticks().size(); i++) {
      double x = x(axis, axis.ticks().get(i));
      String line = Markup.path("M%s,0V%s", x, height - 18);
      out.empty(i == 0 ? "path.edge" : "path.grid", "d", line);
      String text = axis.unit().text(axis.ticks().get(i));
      double left = i == 0 ? 0 : Math.min(x, WIDTH - 3.3 * text.length());
      String anchor = i == 0 ? "start" : "middle";
      out.element("text", text, "x", left, "y", height - 5, "text-anchor", anchor);
    }
    out.close();
    for (int i = 0; i < bars.size(); i++) {
      bar(out, axis, bars.get(i), i * row + (many ? 13 : 15), many ? 8 : 12);
    }
    return out.close().toString();
  }

  private static void bar(Markup out, Axis axis, Bar bar, double y, double thickness) {
    Figure figure = bar.figure();
    out.open("g.bar." + bar.key().style());
    out.element("title", bar.name() + ": " + Words.join(", ", figure.text(), figure.range()));
    out.open("text", "x", 3, "y", y).text(bar.name() + " ");
    out.element("tspan", figure.text()).close();
    double top = y + 5;
    double width = Math.max(1, x(axis, figure.median()) - x(axis, 0));
    out.empty("rect", "x", x(axis, 0), "y", top, "width", width, "height", thickness);
    Interval own = figure.interval();
    if (own != null) {
      boolean beyond = own.high() > axis.high();
      double to = x(axis, Math.min(own.high(), axis.high()));
      String form = "M%s,%sv6m0,-3H%s" + (beyond ? "" : "m0,-3v6");
      String reach = Markup.path(form, x(axis, own.low()), top + thickness / 2 - 3, to);
      out.empty("path.reach", "d", reach);
    }
    out.close();
  }

  private static double x(Axis axis, double figure) {
    return 1 + axis.at(figure) * (WIDTH - RIGHT - 1);
  }
}
