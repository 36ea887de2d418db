/**
 * Berkeley DB Java Edition: a store is a JE environment, a table one of its databases.
 *
 * <h2>Threads</h2>
 *
 * <p>As the SPI demands. JE runs threads of its own (cleaner, checkpointer, evictor), which end
 * with the store. An interrupt that meets a thread inside JE makes the whole environment invalid;
 * one that is pending at the call is therefore put off until its end.
 */
@NullMarked
package io.kvstadium.engine.berkeleydb;

import org.jspecify.annotations.NullMarked;
