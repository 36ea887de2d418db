/**
 * H2 behind the store's SPI, over JDBC and embedded: the database {@code store} (the file {@code
 * store.mv.db}) in the store's directory, in which each table of the store is an SQL table.
 *
 * <h2>Threads</h2>
 *
 * <p>A {@link io.kvstadium.engine.h2.Session} is a connection with its prepared statements; it is
 * leased for one call, or for as long as a cursor, snapshot or transaction lives, and belongs to
 * the one that leased it. H2 lets readers and writers on different connections run side by side;
 * where every commit is synced, commits run one at a time. No thread owns a connection beyond a
 * lease.
 */
@NullMarked
package io.kvstadium.engine.h2;

import org.jspecify.annotations.NullMarked;
