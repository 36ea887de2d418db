package io.kvstadium.bench.report;

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
}
