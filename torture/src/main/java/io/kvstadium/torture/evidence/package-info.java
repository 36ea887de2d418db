/**
 * Why levels of durability are believed to hold: what engines declare, and what tortures found,
 * whose results are in the repository. Everything is immutable.
 */
@NullMarked
package io.kvstadium.torture.evidence;

import org.jspecify.annotations.NullMarked;
