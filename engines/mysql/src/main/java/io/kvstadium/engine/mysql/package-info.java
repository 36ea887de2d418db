/**
 * MySQL and MariaDB behind the store's SPI, over JDBC. A store is a database: either one on the
 * user's own server, or the only one on a private server, which is in the store's directory and
 * runs no longer than the store is open. The table {@code kv_stadium} of the database lists the
 * store's tables.
 *
 * <h2>Threads</h2>
 *
 * <p>Each call takes a connection from a pool and gives it back before it returns; transactions,
 * snapshots and scans longer than a few entries keep one until their end. Threads take turns on a
 * snapshot's connection.
 */
@NullMarked
package io.kvstadium.engine.mysql;

import org.jspecify.annotations.NullMarked;
