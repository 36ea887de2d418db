/**
 * What engines on RocksDB's Java interface have in common: the adapter, compiled against {@code
 * rocksdbjni} and run on the classes of the same names that each engine brings. A table is a column
 * family. For those engines, not for applications.
 *
 * <h2>Threads</h2>
 *
 * <p>As {@link io.kvstadium.store.engine} requires: stores and snapshots are called by many threads
 * at once; cursors and transactions by one at a time. RocksDB itself starts threads for flushes and
 * compactions, which all stores of a process share.
 *
 * <h2>Native memory</h2>
 *
 * <p>Everything that a store allocates natively is freed at its close, in the order that RocksDB
 * needs: iterators before the slices that bound them, column families before the database, the
 * database before its cache. The library guarantees that nothing is called after that.
 */
@NullMarked
package io.kvstadium.engine.rocksjava;

import org.jspecify.annotations.NullMarked;
