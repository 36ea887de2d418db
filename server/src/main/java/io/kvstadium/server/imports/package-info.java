/** Brings the data of a Redis, as {@code transfer.redis} reads it, into a store. */
@NullMarked
package io.kvstadium.server.imports;

import org.jspecify.annotations.NullMarked;
