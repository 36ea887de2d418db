/**
 * SQLite behind the store's SPI, over JDBC. The store is a directory; the database is the file
 * {@code store.sqlite} in it, and each table of the store is a table {@code t_…} of that database.
 *
 * <h2>Connections</h2>
 *
 * <p>All writes go through one connection. In WAL mode, single reads share a few reader connections
 * and each scan and snapshot has a connection of its own for as long as it lives. In the rollback
 * journal modes, and under {@code locking_mode=exclusive}, readers on other connections would block
 * the writer (or could not be at all), so that reads and scans use the writer's connection in turn.
 *
 * <h2>Threads</h2>
 *
 * <p>A {@link io.kvstadium.engine.sqlite.Session} is a connection with the lock that guards it; who
 * calls it holds the lock. No thread owns a connection beyond a call, so threads, virtual ones
 * included, may come and go. Locks are taken in no nested order except the writer's before all
 * others', when a table is dropped.
 */
@NullMarked
package io.kvstadium.engine.sqlite;

import org.jspecify.annotations.NullMarked;
