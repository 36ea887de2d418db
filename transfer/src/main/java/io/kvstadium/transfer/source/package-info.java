/**
 * Entries wherever they are, in files, directories, SQL databases, files of other stores, and
 * stores: {@link io.kvstadium.transfer.source.EntrySource}, read by a {@link
 * io.kvstadium.transfer.source.SourceReader}. {@link io.kvstadium.transfer.source.Sources}
 * recognizes them. Rows of an SQL table are read as a stream, by a driver that the engines bring;
 * what is read is not changed, and nothing is left beside it.
 *
 * <p>A reader belongs to one thread at a time; a source is safe for all.
 */
@NullMarked
package io.kvstadium.transfer.source;

import org.jspecify.annotations.NullMarked;
