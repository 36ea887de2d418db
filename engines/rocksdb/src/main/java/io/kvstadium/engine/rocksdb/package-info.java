/**
 * The engine {@code rocksdb}: an LSM tree in C++, bound through its makers' JNI library. A table is
 * a column family.
 *
 * <h2>Threads</h2>
 *
 * <p>As {@link io.kvstadium.store.spi} asks: stores and snapshots are called by many threads at
 * once; cursors and transactions by one at a time. RocksDB itself starts threads for flushes and
 * compactions, which all stores of a process share.
 *
 * <h2>Native memory</h2>
 *
 * <p>Everything that a store allocates natively is freed at its close, in the order that RocksDB
 * needs: iterators before the slices that bound them, column families before the database, the
 * database before its cache. That nothing is called after that is the library's promise.
 */
@NullMarked
package io.kvstadium.engine.rocksdb;

import org.jspecify.annotations.NullMarked;
