/**
 * Shows results. What they mean is computed once, in {@link
 * io.kvstadium.bench.report.analysis.Report}; {@link io.kvstadium.bench.report.TextReport} shows it
 * on a terminal and in Markdown, {@link io.kvstadium.bench.report.HtmlReport} on a page, {@link
 * io.kvstadium.bench.report.JsonReport} and {@link io.kvstadium.bench.report.CsvReport} for
 * programs, and {@link io.kvstadium.bench.report.Comparison} against earlier runs. Packages: {@code
 * table} ← {@code chart}, {@code analysis} ← this one.
 *
 * <p>All types are immutable or pure functions and safe for all threads.
 */
@NullMarked
package io.kvstadium.bench.report;

import org.jspecify.annotations.NullMarked;
