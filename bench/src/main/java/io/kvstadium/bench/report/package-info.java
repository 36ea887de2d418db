/**
 * Interprets results and shows them. {@link io.kvstadium.bench.report.Report} is computed once and
 * holds every verdict, factor and warning; {@link io.kvstadium.bench.report.TextReport} shows them
 * on a terminal and in Markdown, {@link io.kvstadium.bench.report.HtmlReport} on a page, {@link
 * io.kvstadium.bench.report.JsonReport} and {@link io.kvstadium.bench.report.CsvReport} for
 * programs.
 *
 * <p>All types are immutable or pure functions and safe for all threads.
 */
@NullMarked
package io.kvstadium.bench.report;

import org.jspecify.annotations.NullMarked;
