package io.kvstadium.server.redis;

import org.jspecify.annotations.Nullable;

/**
 * A request as it arrived.
 *
 * @param command what it names, or {@code null} if there is no such command
 * @param words the command's name and its arguments
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record Request(@Nullable Command command, byte[][] words) {}
