/**
 * H2's MVStore behind the store's SPI: the file {@code store.mvstore} in the store's directory, in
 * which each table of the store is a map of the same name.
 *
 * <h2>Threads</h2>
 *
 * <p>Maps are persistent trees: a root is a consistent table. Reads take the present root and need
 * no lock, unless a batch is being applied at that moment. While it reads, a reader pins the
 * store's version, so that the space of pages that it may still need is not reused. Writers change
 * the maps side by side; saves run one at a time, and a thread that waited for one finds its own
 * change saved with it. The two locks are taken in the order commits, changes.
 */
@NullMarked
package io.kvstadium.engine.mvstore;

import org.jspecify.annotations.NullMarked;
