/**
 * What the engines on SQL databases share: the SQL of a table with a key and a value, and a cursor
 * that queries page by page. Engines whose database is a server also share what a trip to it costs
 * ({@link ServerStore}), and servers that belong to a store ({@link PrivateServer}). Any thread may
 * use a table, a store or a transaction, which threads enter in turns; only one at a time may use a
 * cursor.
 */
@NullMarked
package io.kvstadium.engine.sql;

import org.jspecify.annotations.NullMarked;
