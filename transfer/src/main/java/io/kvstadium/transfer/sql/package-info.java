/**
 * Rows of an SQL database as entries: a table is read as a stream, by a driver that the engines
 * bring. What is read is not changed, and nothing is left beside it.
 *
 * <p>An {@code SqlSource} is immutable and safe for all threads; each pass over it has its own
 * connection.
 */
@NullMarked
package io.kvstadium.transfer.sql;

import org.jspecify.annotations.NullMarked;
