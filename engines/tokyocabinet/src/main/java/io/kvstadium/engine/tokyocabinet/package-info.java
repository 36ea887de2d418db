/**
 * Tokyo Cabinet behind the store's SPI: the system's C library, called through Java's
 * foreign-function API. The store is a directory with one file, {@code store.tcb} (a B+ tree) or
 * {@code store.tch} (a hash table), and {@code .wal} beside it while it is open.
 *
 * <h2>Threads</h2>
 *
 * <p>The library serializes calls by itself, but its transactions belong to the file and not to a
 * thread, and what a cursor stands on moves when others write. So writers exclude each other and
 * the steps of cursors by a lock of the adapter; single reads only notice that one came between,
 * and then wait for it. Arguments lie in native memory of the calling thread.
 */
@NullMarked
package io.kvstadium.engine.tokyocabinet;

import org.jspecify.annotations.NullMarked;
