/**
 * LMDB: a B+ tree in one memory-mapped file, read without locks, with one writer at a time.
 *
 * <h2>Who does what</h2>
 *
 * {@link io.kvstadium.engine.lmdb.LmdbEngine} declares and opens. A {@code LmdbStore} translates
 * calls; {@code Environment} owns what exists once per store (LMDB's environment, the one writer,
 * the pool of read transactions).
 *
 * <h2>Threads</h2>
 *
 * <ul>
 *   <li>Reads take a {@code Reader} (one read transaction with its buffers) out of a pool that
 *       belongs to the store and not to threads: threads may come and go, virtual ones too, without
 *       using up LMDB's table of readers. A reader serves one thread at a time.
 *   <li>Writes go one after the other through {@code Writer}. LMDB's own lock belongs to a thread
 *       of the operating system, so what a virtual thread writes is handed to a platform thread.
 * </ul>
 */
@NullMarked
package io.kvstadium.engine.lmdb;

import org.jspecify.annotations.NullMarked;
