package io.kvstadium.server.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where scans of the SCAN family continue. Redis' cursors are numbers, ours are names: the number
 * is a hash of the name, so the same cursor is always followed by the same one, also after a
 * restart. The names of the latest numbers are remembered; for another number, all names are looked
 * through. If none has it, because it was removed meanwhile, the scan begins again: then it returns
 * some names twice, but misses none. Safe for all threads.
 */
final class Cursors {
  private static final String INVALID = "invalid cursor";
  private static final int MOST = 100_000;
  private static final long MOST_BYTES = 32 << 20;

  /** Clients that keep a cursor as a floating-point number take 53 bits. */
  private static final int UNUSED_BITS = 64 - 52;

  private final LinkedHashMap<Long, byte[]> names = new LinkedHashMap<>();
  private long bytes;

  /** Looks for a name among those that are scanned. */
  interface Search {
    /** The first name that fits, or {@code null}. */
    byte @Nullable [] first(Predicate<byte[]> fits);
  }

  /** A number for the place after a name. */
  String at(byte[] name) {
    long number = number(name);
    remember(number, name);
    return Long.toString(number);
  }

  private synchronized void remember(long number, byte[] name) {
    byte[] before = names.putLast(number, name);
    bytes += name.length - (before == null ? 0 : before.length);
    while (names.size() > MOST || (bytes > MOST_BYTES && names.size() > 1)) {
      bytes -= names.pollFirstEntry().getValue().length;
    }
  }

  private synchronized byte @Nullable [] remembered(long number) {
    return names.get(number);
  }

  /** The name after which a scan continues, or {@code null} for its beginning. */
  byte @Nullable [] position(byte[] cursor, Search search) {
    long number = number(cursor, INVALID);
    if (number == 0) {
      return null;
    }
    byte[] name = remembered(number);
    if (name == null) {
      name = search.first(each -> number(each) == number);
      if (name != null) {
        remember(number, name);
      }
    }
    return name;
  }

  /** Refuses what cannot be a cursor at all. */
  static void check(byte[] cursor) {
    number(cursor, INVALID);
  }

  private static long number(byte[] cursor, String error) {
    try {
      return Long.parseUnsignedLong(new String(cursor, StandardCharsets.ISO_8859_1));
    } catch (NumberFormatException e) {
      throw ReplyException.error("%s", error);
    }
  }

  /** Nobody can choose names whose numbers are the same, to lead others' scans astray. */
  private static long number(byte[] name) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(name);
      return Math.max(1, ByteBuffer.wrap(hash).getLong() >>> UNUSED_BITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
