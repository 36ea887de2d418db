/**
 * H2's MVStore behind the store's SPI: the file {@code store.mvstore} in the store's directory, in
 * which each table of the store is a map of the same name.
 *
 * <h2>Threads</h2>
 *
 * <p>Maps are persistent trees: who has a root has a consistent table. Reads take the present root
 * and need no lock, unless a batch is being applied just then. While it reads, a reader pins the
 * store's version, so that the space of pages that it may still need is not used again. Writers
 * change the maps side by side; saving them goes one at a time, and whoever waited for it finds his
 * own change saved with the one before. The two locks are taken in the order commits, changes.
 */
@NullMarked
package io.kvstadium.engine.mvstore;

import org.jspecify.annotations.NullMarked;
