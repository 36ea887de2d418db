/**
 * A database of a server that speaks the Redis protocol, behind the store's SPI. The table is the
 * database: its keys are the server's keys, its values their strings. One key marks the database as
 * a store's; no scan shows it.
 *
 * <h2>Threads</h2>
 *
 * <p>Each call takes a connection and gives it back before it returns, cursors at each step. Calls
 * of virtual threads are made on threads that nobody interrupts: an interrupt of a virtual thread
 * would close the socket that it waits for.
 */
@NullMarked
package io.kvstadium.engine.redis;

import org.jspecify.annotations.NullMarked;
