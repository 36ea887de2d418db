/** Reads the data of a running Redis, or of its files, into a store. */
@NullMarked
package io.kvstadium.server.imports;

import org.jspecify.annotations.NullMarked;
