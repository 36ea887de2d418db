/**
 * One small access library over every engine: open a {@link io.kvstadium.store.Store} by URL, take
 * {@link io.kvstadium.store.Table}s from it, and switch the engine by changing the URL.
 *
 * <pre>{@code
 * try (Store store = Stadium.open("rocksdb:data/app?durability=power")) {
 *   Table<String, Long> visits = store.table("visits", Codec.STRING, Codec.LONG);
 *   visits.increment("home", 1);
 * }
 * }</pre>
 *
 * <h2>Threads</h2>
 *
 * <p>A {@code Store}, a {@code Table} and a {@code Snapshot} (with the tables taken from it) are
 * safe for use by multiple threads. A {@code Cursor}, a {@code Batch} and a {@code Transaction}
 * (with the tables taken from them) belong to one thread at a time. Whichever of these rules is
 * broken, no call on any handle can crash the virtual machine: a handle used after its close throws
 * {@link io.kvstadium.store.ClosedException}, and a close that meets calls in progress waits for
 * them.
 *
 * <h2>Arrays</h2>
 *
 * <p>Keys and values handed to the library must not be changed by the caller until the call
 * returns; in a {@code Batch} until the batch is committed. Arrays that the library returns belong
 * to the caller.
 *
 * <h2>Errors</h2>
 *
 * <p>All errors are unchecked: {@link io.kvstadium.store.StadiumException} and its few subclasses.
 * A write that failed was never acknowledged.
 */
@NullMarked
package io.kvstadium.store;

import org.jspecify.annotations.NullMarked;
