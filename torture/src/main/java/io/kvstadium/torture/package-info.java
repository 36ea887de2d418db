/**
 * Kills, power cuts and faults: whether a store keeps what its durability level guarantees.
 *
 * <p>A {@link io.kvstadium.torture.Torture} injects faults in sequences. In each round a worker, a
 * separate process, writes what follows from a seed and reports which writes returned. It gets the
 * fault at a random moment. Then a checker, another process, opens the store, reads all of it and
 * compares it with what may be there. The processes communicate over a Unix domain socket.
 */
@NullMarked
package io.kvstadium.torture;

import org.jspecify.annotations.NullMarked;
