/**
 * Kills, power cuts and faults: whether a store keeps what its level of durability promises.
 *
 * <p>A {@link io.kvstadium.torture.Torture} strikes stores in chains. In each round a worker, a
 * process of its own, writes what follows from a seed and tells which writes returned; it is struck
 * at a random moment; and a checker, another process, opens the store, reads all of it and compares
 * it with what may be there. Processes of this package's speak over a socket in the file system.
 */
@NullMarked
package io.kvstadium.torture;

import org.jspecify.annotations.NullMarked;
