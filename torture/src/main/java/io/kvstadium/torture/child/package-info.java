/**
 * The processes of a round: a worker that writes, a checker that reads, and how both report to the
 * parent.
 */
@NullMarked
package io.kvstadium.torture.child;

import org.jspecify.annotations.NullMarked;
