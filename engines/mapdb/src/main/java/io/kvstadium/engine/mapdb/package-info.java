/**
 * MapDB: a store is a directory, a table a file with one map in it.
 *
 * <p>MapDB could keep several maps in one file, but has no way to remove one.
 *
 * <h2>Threads</h2>
 *
 * <p>As the SPI requires: MapDB's maps are safe for all threads.
 */
@NullMarked
package io.kvstadium.engine.mapdb;

import org.jspecify.annotations.NullMarked;
