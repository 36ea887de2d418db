/**
 * What an engine implements and declares. Everything that does not need the engine's own knowledge
 * (URL and option parsing, argument and capability checks, guards against use after close, typed
 * tables, retries, leak reports) exists once, in the library above.
 *
 * <h2>What the library promises to an engine</h2>
 *
 * <ul>
 *   <li>No method of an {@link io.kvstadium.store.engine.EngineStore}, its tables, cursors,
 *       snapshots or transactions is called after its close began, and close is called exactly
 *       once, when no other call is in progress. An engine needs no checks for that.
 *   <li>Cursors, transactions and snapshots are closed before their store; a table's before the
 *       table is dropped.
 *   <li>Nothing is called that needs a capability which the store does not list.
 *   <li>Keys and values are not null and within the engine's declared limits; arguments were
 *       checked.
 *   <li>The directory of a store on disk exists, is locked against a second open, and, once
 *       created, is made durable before a write is accepted.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <p>An {@code EngineStore} and an {@code EngineSnapshot} are called by many threads at once.
 * Cursors and transactions are called by one thread at a time, perhaps by several in turn; the
 * thread that began a transaction commits and closes it.
 *
 * <h2>Errors</h2>
 *
 * <p>Calls may throw whatever the engine does. Its {@link
 * io.kvstadium.store.engine.EngineStore#classify} says what that means, and the library words it,
 * refuses what must not continue, and never commits a transaction in which a call failed. A {@link
 * io.kvstadium.store.StadiumException} is rethrown unchanged.
 */
@NullMarked
package io.kvstadium.store.engine;

import org.jspecify.annotations.NullMarked;
