/**
 * A database of a server that speaks the Redis protocol, behind the store's SPI. The table is the
 * database: a key of it is the server's key, a value its string. One key is the mark that the
 * database is a store's; no scan shows it.
 *
 * <h2>Threads</h2>
 *
 * <p>Each call takes a connection and gives it back before it returns, cursors at each step. Calls
 * of virtual threads are made by threads that nobody interrupts: the interrupt of a virtual thread
 * closes the socket that it waits for.
 */
@NullMarked
package io.kvstadium.engine.redis;

import org.jspecify.annotations.NullMarked;
