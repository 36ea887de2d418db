/**
 * Moves stores to files and pipes, and back: {@link io.kvstadium.transfer.Export} and {@link
 * io.kvstadium.transfer.Import}, in the {@link io.kvstadium.transfer.Format}s. Everything streams:
 * a few megabytes of heap beside the largest entry. From store to store without a file: {@link
 * io.kvstadium.store.Stores#copy}.
 *
 * <p>Readers and writers belong to one thread at a time.
 */
@NullMarked
package io.kvstadium.transfer;

import org.jspecify.annotations.NullMarked;
