package io.kvstadium.server.database;

import io.kvstadium.server.protocol.ReplyException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where scans of the SCAN family continue. Redis' cursors are numbers, ours are names: the number
 * is a hash of the name, so the same cursor is always followed by the same one. The names of the
 * latest numbers are remembered. With another number, such as one from before a restart, a scan
 * begins again: then it returns some names twice, but misses none. Safe for all threads.
 */
public final class Cursors {
  private static final String INVALID = "invalid cursor";
  private static final int MAX = 100_000;
  private static final long MAX_BYTES = 32 << 20;

  /** Clients that keep a cursor as a floating-point number take 53 bits. */
  private static final int UNUSED_BITS = 64 - 52;

  private final LinkedHashMap<Long, byte[]> names = new LinkedHashMap<>();
  private long bytes;

  /** A number for the place after a name. */
  public String at(byte[] name) {
    long number = number(name);
    remember(number, name);
    return Long.toString(number);
  }

  private synchronized void remember(long number, byte[] name) {
    byte[] before = names.putLast(number, name);
    bytes += name.length - (before == null ? 0 : before.length);
    while (names.size() > MAX || (bytes > MAX_BYTES && names.size() > 1)) {
      bytes -= names.pollFirstEntry().getValue().length;
    }
  }

  /** The name after which a scan continues, or {@code null} for its beginning. */
  public synchronized byte @Nullable [] position(byte[] cursor) {
    return names.get(number(cursor, INVALID));
  }

  /** Refuses what cannot be a cursor at all. */
  public static void check(byte[] cursor) {
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
