/** Records the calls of an application on a store: {@link io.kvstadium.trace.record.Recorder}. */
@NullMarked
package io.kvstadium.trace.record;

import org.jspecify.annotations.NullMarked;
