/**
 * Formats of entries in files, and their readers and writers: dumps, JSON Lines, CSV, {@code
 * mdb_dump}, and the records of what people have, each found with its place and as the bytes that
 * it has in the file. For imports, and for benchmarks with the user's own data.
 *
 * <p>Readers and writers belong to one thread at a time.
 */
@NullMarked
package io.kvstadium.transfer.format;

import org.jspecify.annotations.NullMarked;
