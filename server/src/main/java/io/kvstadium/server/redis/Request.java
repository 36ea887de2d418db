package io.kvstadium.server.redis;

import org.jspecify.annotations.Nullable;

/**
 * A request as it arrived.
 *
 * @param command the named command, or {@code null} if there is no such command
 * @param words the command's name and its arguments
 * @param bytes roughly the memory that it takes
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record Request(@Nullable Command command, byte[][] words, long bytes) {
  /** The bytes of an object without its content. */
  static final int OVERHEAD = 24;

  Request(@Nullable Command command, byte[][] words) {
    this(command, words, bytes(words));
  }

  private static long bytes(byte[][] words) {
    long bytes = OVERHEAD;
    for (byte[] word : words) {
      bytes += OVERHEAD + word.length;
    }
    return bytes;
  }
}
