package io.kvstadium.bench.report.chart;

import io.kvstadium.bench.report.table.Markup;
import org.jspecify.annotations.Nullable;

/**
 * A drawing of figures that a table next to it also shows. Colours, dashes and fonts come from the
 * style sheet, so one drawing serves light and dark screens and paper.
 */
public sealed interface Chart permits BarChart, LineChart {
  /** The title above it. */
  String title();

  /** The text for screen readers. */
  String label();

  /** The drawing as an {@code svg} element. */
  String svg();

  /** Opens the drawing; a script reads figures from the description of its axes. */
  default void open(Markup out, double width, double height, @Nullable String... axes) {
    String box = Markup.path("0 0 %s %s", width, height);
    out.open(
        "svg.chart",
        "viewBox",
        box,
        "role",
        "img",
        "aria-label",
        label(),
        "data-x",
        axes.length > 0 ? axes[0] : null,
        "data-y",
        axes.length > 1 ? axes[1] : null);
  }
}
