/**
 * Berkeley DB Java Edition: a store is a JE environment, a table one of its databases.
 *
 * <h2>Threads</h2>
 *
 * <p>As the SPI requires. JE runs its own threads (cleaner, checkpointer, evictor), which end with
 * the store. An interrupt that meets a thread inside JE makes the whole environment invalid; one
 * that is pending before the call is therefore deferred until its end.
 */
@NullMarked
package io.kvstadium.engine.berkeleydb;

import org.jspecify.annotations.NullMarked;
