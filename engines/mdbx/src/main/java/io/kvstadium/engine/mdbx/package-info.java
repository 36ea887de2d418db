/**
 * libmdbx behind the store's SPI: the C library, called through Java's foreign-function API. The
 * store is a directory with an environment, {@code mdbx.dat}, in which each table is a named one.
 *
 * <h2>Threads</h2>
 *
 * <p>One thread writes at a time. Reads take a transaction from a pool, renew it and give it back;
 * a snapshot keeps one, in which one thread reads at a time.
 */
@NullMarked
package io.kvstadium.engine.mdbx;

import org.jspecify.annotations.NullMarked;
