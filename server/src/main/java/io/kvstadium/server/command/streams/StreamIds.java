package io.kvstadium.server.command.streams;

import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.transfer.redis.StreamId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** IDs of streams in requests. */
final class StreamIds {
  private static final int LONGEST = 127;

  private StreamIds() {}

  /**
   * The ID in a request; {@code -} and {@code +} are the first and the last one.
   *
   * @param missing the second number, if it is not given
   */
  static StreamId of(byte[] text, long missing) {
    if (text.length == 1 && (text[0] == '-' || text[0] == '+')) {
      return text[0] == '-' ? StreamId.MIN : StreamId.MAX;
    }
    return strict(text, missing);
  }

  /** The same without {@code -} and {@code +}. */
  static StreamId strict(byte[] text, long missing) {
    StreamId id = parse(text, missing);
    if (id == null) {
      throw ReplyException.error("Invalid stream ID specified as stream command argument");
    }
    return id;
  }

  /** The same, or {@code null} if it is no ID. */
  static @Nullable StreamId parse(byte[] text, long missing) {
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
  static StreamId from(byte[] text) {
    if (!isExclusive(text)) {
      return of(text, 0);
    }
    StreamId id = strict(Arrays.copyOfRange(text, 1, text.length), 0);
    if (id.equals(StreamId.MAX)) {
      throw ReplyException.error("invalid start ID for the interval");
    }
    return id.next();
  }

  /** The end of an interval; after {@code (}, without the ID itself. */
  static StreamId to(byte[] text) {
    if (!isExclusive(text)) {
      return of(text, -1);
    }
    StreamId id = strict(Arrays.copyOfRange(text, 1, text.length), -1);
    if (id.equals(StreamId.MIN)) {
      throw ReplyException.error("invalid end ID for the interval");
    }
    return id.previous();
  }

  private static boolean isExclusive(byte[] text) {
    return text.length > 1 && text[0] == '(';
  }
}
