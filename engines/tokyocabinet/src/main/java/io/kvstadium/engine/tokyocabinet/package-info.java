/**
 * Tokyo Cabinet behind the store's SPI: the system's C library, called through Java's
 * foreign-function API. The store is a directory with one file, {@code store.tcb} (a B+ tree), and
 * {@code .wal} beside it while it is open.
 *
 * <h2>Threads</h2>
 *
 * <p>The library serializes calls on its own, but its transactions belong to the file and not to a
 * thread, and a cursor's place moves when others write. So an adapter lock keeps writers apart from
 * each other and from the steps of cursors. Single reads only notice that a writer came between,
 * and then wait for it. Arguments are in native memory of the calling thread.
 */
@NullMarked
package io.kvstadium.engine.tokyocabinet;

import org.jspecify.annotations.NullMarked;
