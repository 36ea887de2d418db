/**
 * A RocksServer, or a {@code stadium serve} in its classic HTTP mode, behind the store's SPI. The
 * table is everything that the server has.
 *
 * <h2>Threads</h2>
 *
 * <p>Calls share one client of HTTP, which is safe for all threads and pools its connections; a
 * scan keeps one until its end.
 */
@NullMarked
package io.kvstadium.engine.rocksserver;

import org.jspecify.annotations.NullMarked;
