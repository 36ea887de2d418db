package io.kvstadium.bench.report.chart;

import io.kvstadium.bench.report.table.Markup;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bars with the ends of their intervals. */
public record BarChart(String title, String label, Axis.Unit unit, List<Bar> bars)
    implements Chart {
  private static final double WIDTH = 340;
  private static final double RIGHT = 12;

  /**
   * One bar.
   *
   * @param text the figure with its unit
   * @param range its interval likewise, or an empty text
   */
  public record Bar(
      SeriesStyle key,
      String name,
      double figure,
      @Nullable Interval interval,
      String text,
      String range) {}

  /**
   * An interval over two or three trials may be a thousand times its figure: it runs off the chart
   * to the right instead of squeezing the bars.
   */
  private double end() {
    double max = 0;
    double high = 0;
    for (Bar bar : bars) {
      Interval own = bar.interval();
      max = Math.max(max, bar.figure());
      high = Math.max(high, own == null ? bar.figure() : own.high());
    }
    return Math.min(high, 2 * max);
  }

  @Override
  public String svg() {
    Axis axis = Axis.linear("", unit, 0, end());
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
    out.open("g.bar." + bar.key().style());
    out.element(
        "title",
        bar.name() + ": " + bar.text() + (bar.range().isEmpty() ? "" : ", " + bar.range()));
    out.open("text", "x", 3, "y", y).text(bar.name() + " ");
    out.element("tspan", bar.text()).close();
    double top = y + 5;
    double width = Math.max(1, x(axis, bar.figure()) - x(axis, 0));
    out.empty("rect", "x", x(axis, 0), "y", top, "width", width, "height", thickness);
    Interval own = bar.interval();
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
