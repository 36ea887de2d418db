/**
 * The reference engine: what the store interfaces mean, in as little code as possible, and the
 * model to read before writing an engine.
 *
 * <p>The whole state of a store is one immutable {@link io.kvstadium.engine.memory.Root} in a
 * volatile field. A reader takes the reference and needs no lock. A writer holds the writers' lock,
 * makes a changed root, which shares nearly all of its nodes with the old one, and swaps the
 * reference. So a snapshot, a stable cursor and an atomic batch cost nothing extra. Apart from
 * {@link io.kvstadium.engine.memory.SortedEntries}, the tree of a table's entries, nothing in here
 * is hard.
 *
 * <h2>Threads</h2>
 *
 * <p>As the SPI requires; a pessimistic transaction holds the writers' lock from begin to close.
 */
@NullMarked
package io.kvstadium.engine.memory;

import org.jspecify.annotations.NullMarked;
