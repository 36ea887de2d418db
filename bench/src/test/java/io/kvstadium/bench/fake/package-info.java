/** Engines for tests: stores that are maps, some of which misbehave; and results. */
@NullMarked
package io.kvstadium.bench.fake;

import org.jspecify.annotations.NullMarked;
