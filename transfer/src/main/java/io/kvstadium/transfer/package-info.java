/**
 * Moves stores to files and pipes, and back: {@link io.kvstadium.transfer.Export} and {@link
 * io.kvstadium.transfer.Import}, in the {@link io.kvstadium.transfer.format.Format}s. Everything
 * streams: it takes a few megabytes of heap beyond the largest entry. {@link
 * io.kvstadium.transfer.Copy} copies from store to store without a file.
 *
 * <p>Readers and writers belong to one thread at a time.
 */
@NullMarked
package io.kvstadium.transfer;

import org.jspecify.annotations.NullMarked;
