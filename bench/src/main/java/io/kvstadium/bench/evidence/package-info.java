/**
 * Why levels of durability are believed to hold: what engines declare, and what was found by
 * tortures whose results are in the repository. All is immutable.
 */
@NullMarked
package io.kvstadium.bench.evidence;

import org.jspecify.annotations.NullMarked;
