/**
 * Says what results mean. {@link io.kvstadium.bench.report.Report} is computed once from the
 * results and holds every verdict, mark and sentence; the renderers only lay it out, so that the
 * console, the HTML page and the Markdown text never disagree.
 *
 * <p>All types are immutable or pure functions and safe for all threads.
 */
@NullMarked
package io.kvstadium.bench.report;

import org.jspecify.annotations.NullMarked;
