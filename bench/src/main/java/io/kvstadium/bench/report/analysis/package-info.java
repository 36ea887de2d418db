/**
 * What results mean: trials are compared, ranked and judged, and what spoils a figure is found. It
 * knows no medium but words and tables.
 */
@NullMarked
package io.kvstadium.bench.report.analysis;

import org.jspecify.annotations.NullMarked;
