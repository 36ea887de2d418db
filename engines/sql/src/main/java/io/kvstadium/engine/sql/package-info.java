/**
 * What the engines on SQL databases share: the SQL of a table with a key and a value, and a cursor
 * that queries page by page. A table may be used by all threads, a cursor by one at a time.
 */
@NullMarked
package io.kvstadium.engine.sql;

import org.jspecify.annotations.NullMarked;
