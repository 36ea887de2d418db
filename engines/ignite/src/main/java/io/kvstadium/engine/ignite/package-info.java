/**
 * A zone of an Apache Ignite 3 cluster, behind the store's SPI. A table of the store is an SQL
 * table of two columns, with an index over its keys in each direction; single entries are read and
 * written by Ignite's key-value view, ranges by SQL, in pages.
 *
 * <h2>Threads</h2>
 *
 * <p>All calls share one connection, which is safe for all threads. Interrupts do not cancel what
 * was sent; they show when the call has ended.
 *
 * <h2>What is read</h2>
 *
 * <p>A get is answered by the primary replica, with what is committed there. Scans, counts and
 * snapshots are Ignite's read-only transactions, as of a timestamp: {@link
 * io.kvstadium.engine.ignite.IgniteReader} says which.
 */
@NullMarked
package io.kvstadium.engine.ignite;

import org.jspecify.annotations.NullMarked;
