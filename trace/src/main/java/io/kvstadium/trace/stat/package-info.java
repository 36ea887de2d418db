/** What a trace tells about its application: {@link io.kvstadium.trace.stat.TraceStatistics}. */
@NullMarked
package io.kvstadium.trace.stat;

import org.jspecify.annotations.NullMarked;
