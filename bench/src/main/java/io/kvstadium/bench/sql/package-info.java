/**
 * The user's own data in an SQL database: a table is read once, as a stream, by a driver that the
 * engines bring. What is read is not changed, and nothing is left beside it.
 *
 * <p>An {@code SqlDataset} is immutable and safe for all threads; each pass over it has its own
 * connection.
 */
@NullMarked
package io.kvstadium.bench.sql;

import org.jspecify.annotations.NullMarked;
