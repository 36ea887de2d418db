/**
 * Redis' databases as tables of a store: keys, what they hold, expiry and eviction. {@code
 * docs/internals/server-format.md} describes how they are stored.
 */
@NullMarked
package io.kvstadium.server.database;

import org.jspecify.annotations.NullMarked;
