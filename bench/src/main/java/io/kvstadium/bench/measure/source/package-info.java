/** What to do next: generated operations, or what an application did. */
@NullMarked
package io.kvstadium.bench.measure.source;

import org.jspecify.annotations.NullMarked;
