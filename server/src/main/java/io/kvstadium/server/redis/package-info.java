/**
 * The Redis protocol over a store: requests are read on an event loop, executed in rounds and
 * answered in order. Databases are tables; how keys and collections lie in them is written in
 * {@code docs/server-format.md}.
 */
@NullMarked
package io.kvstadium.server.redis;

import org.jspecify.annotations.NullMarked;
