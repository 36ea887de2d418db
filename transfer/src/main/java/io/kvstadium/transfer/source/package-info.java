/**
 * Entries wherever they are: {@link io.kvstadium.transfer.source.EntrySource}, read by a {@link
 * io.kvstadium.transfer.source.SourceReader}. {@link io.kvstadium.transfer.Sources} recognizes
 * them.
 *
 * <p>A reader belongs to one thread at a time; a source is safe for all.
 */
@NullMarked
package io.kvstadium.transfer.source;

import org.jspecify.annotations.NullMarked;
