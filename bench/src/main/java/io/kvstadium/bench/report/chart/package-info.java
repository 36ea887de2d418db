/** Draws charts as SVG. It knows figures and styles, and no results. */
@NullMarked
package io.kvstadium.bench.report.chart;

import org.jspecify.annotations.NullMarked;
