/**
 * The commands on single entries, the text forms of keys and values, and the session that they run
 * in.
 */
@NullMarked
package io.kvstadium.cli.entries;

import org.jspecify.annotations.NullMarked;
