/** How figures are written: units, text for a terminal, Markdown and HTML, tables, line styles. */
@NullMarked
package io.kvstadium.bench.report.table;

import org.jspecify.annotations.NullMarked;
