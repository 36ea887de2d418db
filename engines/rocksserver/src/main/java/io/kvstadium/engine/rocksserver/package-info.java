/**
 * A RocksServer, or a {@code stadium serve} in its classic HTTP mode, behind the store's SPI. The
 * table is everything that the server has.
 *
 * <h2>Threads</h2>
 *
 * <p>Each call takes a connection and gives it back before it returns; a scan keeps one until its
 * end.
 */
@NullMarked
package io.kvstadium.engine.rocksserver;

import org.jspecify.annotations.NullMarked;
