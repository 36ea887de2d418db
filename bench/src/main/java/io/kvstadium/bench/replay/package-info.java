/** Repeats the recorded operations of an application on another store. */
@NullMarked
package io.kvstadium.bench.replay;

import org.jspecify.annotations.NullMarked;
