/**
 * What an engine says of itself: version, options, limits, durability with its evidence, failures.
 */
@NullMarked
package io.kvstadium.store.engine.declare;

import org.jspecify.annotations.NullMarked;
