package io.kvstadium.server.value;

import io.kvstadium.server.protocol.ReplyException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ID of an entry of a stream: two unsigned numbers, of which the first is usually the Unix time
 * in milliseconds.
 */
public record StreamId(long ms, long seq) implements Comparable<StreamId> {
  public static final StreamId MIN = new StreamId(0, 0);
  public static final StreamId MAX = new StreamId(-1, -1);
  public static final int BYTES = 16;

  private static final int LONGEST = 127;

  @Override
  public int compareTo(StreamId other) {
    int order = Long.compareUnsigned(ms, other.ms);
    return order != 0 ? order : Long.compareUnsigned(seq, other.seq);
  }

  public boolean isAfter(StreamId other) {
    return compareTo(other) > 0;
  }

  /** The later of two. */
  public StreamId max(StreamId other) {
    return isAfter(other) ? this : other;
  }

  /** The one right after; after the last one comes the first. */
  public StreamId next() {
    return seq != -1 ? new StreamId(ms, seq + 1) : new StreamId(ms + 1, 0);
  }

  /** The one right before; before the first one comes the last. */
  StreamId previous() {
    return seq != 0 ? new StreamId(ms, seq - 1) : new StreamId(ms - 1, -1);
  }

  /** As it is stored: in the order of its bytes. */
  public byte[] bytes() {
    return put(ByteBuffer.allocate(BYTES)).array();
  }

  public ByteBuffer put(ByteBuffer to) {
    return to.putLong(ms).putLong(seq);
  }

  public static StreamId read(ByteBuffer from) {
    return new StreamId(from.getLong(), from.getLong());
  }

  /** The ID at the end of a stored key. */
  public static StreamId ending(byte[] key) {
    return read(ByteBuffer.wrap(key, key.length - BYTES, BYTES));
  }

  public String text() {
    return Long.toUnsignedString(ms) + '-' + Long.toUnsignedString(seq);
  }

  /**
   * The ID in a request; {@code -} and {@code +} are the first and the last one.
   *
   * @param missing the second number, if it is not given
   */
  public static StreamId of(byte[] text, long missing) {
    if (text.length == 1 && (text[0] == '-' || text[0] == '+')) {
      return text[0] == '-' ? MIN : MAX;
    }
    return strict(text, missing);
  }

  /** The same without {@code -} and {@code +}. */
  public static StreamId strict(byte[] text, long missing) {
    StreamId id = parse(text, missing);
    if (id == null) {
      throw ReplyException.error("Invalid stream ID specified as stream command argument");
    }
    return id;
  }

  /** The same, or {@code null} if it is no ID. */
  public static @Nullable StreamId parse(byte[] text, long missing) {
    if (text.length == 0 || text.length > LONGEST || text[0] > '9') {
      return null;
    }
    String id = new String(text, StandardCharsets.ISO_8859_1);
    int dash = id.indexOf('-');
    try {
      return dash < 0
          ? new StreamId(Long.parseUnsignedLong(id), missing)
          : new StreamId(
              Long.parseUnsignedLong(id, 0, dash, 10),
              Long.parseUnsignedLong(id, dash + 1, id.length(), 10));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The beginning of an interval; after {@code (}, without the ID itself. */
  public static StreamId from(byte[] text) {
    if (!isExclusive(text)) {
      return of(text, 0);
    }
    StreamId id = strict(Arrays.copyOfRange(text, 1, text.length), 0);
    if (id.equals(MAX)) {
      throw ReplyException.error("invalid start ID for the interval");
    }
    return id.next();
  }

  /** The end of an interval; after {@code (}, without the ID itself. */
  public static StreamId to(byte[] text) {
    if (!isExclusive(text)) {
      return of(text, -1);
    }
    StreamId id = strict(Arrays.copyOfRange(text, 1, text.length), -1);
    if (id.equals(MIN)) {
      throw ReplyException.error("invalid end ID for the interval");
    }
    return id.previous();
  }

  private static boolean isExclusive(byte[] text) {
    return text.length > 1 && text[0] == '(';
  }
}
