/**
 * What the engines on SQL databases share: the SQL of a table with a key and a value, and a cursor
 * that queries page by page. Any thread may use a table; only one at a time may use a cursor.
 */
@NullMarked
package io.kvstadium.engine.sql;

import org.jspecify.annotations.NullMarked;
