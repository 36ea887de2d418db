/** Recordings of other programs as traces: {@link io.kvstadium.trace.imports.TraceImport}. */
@NullMarked
package io.kvstadium.trace.imports;

import org.jspecify.annotations.NullMarked;
