package io.kvstadium.server.redis;

import java.util.LinkedHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Where scans of the SCAN family continue. Redis' cursors are numbers, ours are keys, so they are
 * mapped to numbers. The oldest is forgotten when there are too many; an unknown number is refused,
 * since starting over might never end. Safe for all threads.
 */
final class Cursors {
  private static final String INVALID = "invalid cursor";
  private static final int MOST = 100_000;
  private static final long MOST_BYTES = 32 << 20;

  private final LinkedHashMap<Long, byte[]> positions = new LinkedHashMap<>();
  private long bytes;
  private long next = ThreadLocalRandom.current().nextLong(1, 1L << 40);

  /** A number for the place after a key. */
  synchronized String at(byte[] key) {
    positions.put(next, key);
    bytes += key.length;
    while (positions.size() > MOST || (bytes > MOST_BYTES && positions.size() > 1)) {
      bytes -= positions.pollFirstEntry().getValue().length;
    }
    return Long.toString(next++);
  }

  /** The key after which a scan continues, or {@code null} for its beginning. */
  synchronized byte @Nullable [] position(byte[] number) {
    long cursor = Numbers.integer(number, INVALID);
    if (cursor == 0) {
      return null;
    }
    byte[] key = positions.get(cursor);
    if (key == null) {
      throw ReplyException.error(INVALID);
    }
    return key;
  }

  /** Refuses what cannot be a cursor at all. */
  static void check(byte[] number) {
    Numbers.integer(number, INVALID);
  }
}
