/**
 * The Redis protocol over a store: requests are read on an event loop, executed in rounds and
 * answered in order. Databases are tables; {@code docs/internals/server-format.md} describes how
 * keys and collections are stored in them.
 */
@NullMarked
package io.kvstadium.server.redis;

import org.jspecify.annotations.NullMarked;
