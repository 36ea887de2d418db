/**
 * The data that trials work on: generated from a seed, or read from the user's own files.
 *
 * <p>A {@link io.kvstadium.bench.data.Workset} is all that a trial sees of it. Generated data is a
 * pure function of a seed and an index, so that no copy has to be kept to verify what was read, and
 * is the same on every machine: only integer arithmetic, fixed byte orders and {@code StrictMath}
 * stand between a seed and a byte.
 *
 * <h2>Seeds</h2>
 *
 * <p>The data itself (keys, values, which indexes are hot) depends on the seed of the trial; the
 * order in which a phase asks for it on a seed of that phase and thread. {@link
 * io.kvstadium.bench.data.draw.Seeds} derives one from the other.
 *
 * <h2>Threads</h2>
 *
 * <p>{@code Keys}, {@code Values}, {@code Permutation}, {@code EntryFile}, {@code DatasetIndex} and
 * every {@code Workset} are immutable after construction and safe for all threads. {@code Indexes}
 * and {@code EntryIterator} belong to one thread at a time.
 */
@NullMarked
package io.kvstadium.bench.data;

import org.jspecify.annotations.NullMarked;
