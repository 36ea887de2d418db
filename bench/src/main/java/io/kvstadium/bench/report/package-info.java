/**
 * Interprets results, and lays out the outcome. {@link io.kvstadium.bench.report.Report} is
 * computed once from the results and holds every verdict, warning and sentence. A document is made
 * from it, or from a comparison of runs: texts, tables and charts in order, some for some media
 * only. The renderers for console, Markdown and HTML know documents and not results, so that they
 * never disagree.
 *
 * <p>All types are immutable or pure functions and safe for all threads.
 */
@NullMarked
package io.kvstadium.bench.report;

import org.jspecify.annotations.NullMarked;
