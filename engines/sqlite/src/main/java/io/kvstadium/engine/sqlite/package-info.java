/**
 * SQLite behind the store's SPI, over JDBC. The store is a directory; the database is the file
 * {@code store.sqlite} in it, and each table of the store is a table {@code t_…} of that database.
 *
 * <h2>Connections</h2>
 *
 * <p>All writes go through one connection. In WAL mode, single reads share a few reader connections
 * and each scan and snapshot has its own connection for as long as it lives. With a rollback
 * journal, readers on other connections would block the writer, so that reads and scans take turns
 * on the writer's connection.
 *
 * <h2>Threads</h2>
 *
 * <p>A {@link io.kvstadium.engine.sqlite.Session} is a connection with the lock that guards it; its
 * callers hold the lock. No thread owns a connection beyond a call, so threads, virtual ones
 * included, may come and go. Locks are not nested, except that the writer's is taken before all
 * others when a table is dropped.
 */
@NullMarked
package io.kvstadium.engine.sqlite;

import org.jspecify.annotations.NullMarked;
