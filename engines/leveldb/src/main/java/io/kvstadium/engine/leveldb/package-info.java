/**
 * LevelDB behind the store's SPI: the system's C library, called through Java's foreign-function
 * API. The store is a directory with a LevelDB database in it, {@code leveldb}, which other
 * programs may open while it is closed.
 *
 * <h2>Threads</h2>
 *
 * <p>The library's databases, snapshots and options are for all threads; concurrent writes share
 * one write to the log. An iterator is for one thread at a time and sees the state at its making.
 * Arguments are in native memory of the calling thread.
 */
@NullMarked
package io.kvstadium.engine.leveldb;

import org.jspecify.annotations.NullMarked;
