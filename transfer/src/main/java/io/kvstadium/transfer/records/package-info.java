/**
 * Readers of files that people have: lines, records of fields, JSON documents, each found with its
 * place and as the bytes that it has in the file. For imports, and for benchmarks with the user's
 * own data.
 *
 * <p>A reader belongs to one thread at a time.
 */
@NullMarked
package io.kvstadium.transfer.records;

import org.jspecify.annotations.NullMarked;
