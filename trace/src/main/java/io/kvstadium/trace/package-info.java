/**
 * Files of the operations of an application: {@link io.kvstadium.trace.TraceWriter} and {@link
 * io.kvstadium.trace.TraceReader}, as {@code docs/internals/trace-format.md} describes them.
 *
 * <p>Readers and writers belong to one thread at a time.
 */
@NullMarked
package io.kvstadium.trace;

import org.jspecify.annotations.NullMarked;
