/** Engines used by hand. */
@NullMarked
package io.kvstadium.engine;

import org.jspecify.annotations.NullMarked;
