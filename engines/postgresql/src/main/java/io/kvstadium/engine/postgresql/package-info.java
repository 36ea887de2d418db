/**
 * The engine {@code postgresql}: a store is a schema of a database on a PostgreSQL server, a table
 * one of its tables with a key and a value. The server is the user's own, or a private one in the
 * store's directory that runs no longer than the store is open.
 *
 * <p>Any thread may call; each call takes a connection from a pool. Calls of virtual threads are
 * made by threads that nobody interrupts.
 */
@NullMarked
package io.kvstadium.engine.postgresql;

import org.jspecify.annotations.NullMarked;
