package io.kvstadium.bench.report;

import org.jspecify.annotations.Nullable;

/**
 * A drawing of figures that a table beside it holds too. Colours, dashes and fonts are the style
 * sheet's, so that one drawing serves light, dark and paper.
 */
sealed interface Chart permits BarChart, LineChart, ScatterChart {
  /** Stands above it. */
  String title();

  /** What to read out where it cannot be seen. */
  String label();

  /** The drawing as an {@code svg} element. */
  String svg();

  /** Opens the drawing; a script finds figures by what its axes tell. */
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
