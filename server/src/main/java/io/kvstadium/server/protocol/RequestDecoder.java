package io.kvstadium.server.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses requests from the bytes of one connection: arrays of bulk strings, or lines of arguments.
 * It continues where it had to stop, and allocates only what has arrived, whatever length is
 * announced.
 */
public final class RequestDecoder {
  /** Why what takes more memory is refused. */
  public static final String NO_MEMORY =
      "no memory is left for this: the requests and replies of all clients together take as much as"
          + " the server allows (memory in its [limits]); try again";

  /** The longest line, as in Redis. */
  static final int MAX_LINE = 64 << 10;

  private static final byte[][] NOTHING = {};
  private static final byte[] NONE = {};

  /** Strings from this size on are kept apart while they arrive. */
  private static final int LARGE = 64 << 10;

  /** How many times the bytes that have arrived may be allocated. */
  private static final int GROWTH = 4;

  /** A request that was read to its end and thrown away. */
  static final byte[][] REFUSED = {{}};

  /** Memory that a request may take without asking. */
  private static final int UNASKED = 64 << 10;

  /** Whether a request may take more memory. */
  public interface Admission {
    boolean admit(long bytes);
  }

  /** The limits of a request. */
  public record Limits(int arguments, int bytes) {
    /** For a connection that may do nothing yet but authenticate. */
    public static final Limits UNKNOWN = new Limits(10, 16 << 10);
  }

  /** What arrived is not a request; the connection cannot continue. */
  public static final class ProtocolException extends Exception {
    private static final long serialVersionUID = 1;

    private ProtocolException(String message) {
      super("ERR Protocol error: " + message, null, false, false);
    }

    public String text() {
      return String.valueOf(getMessage());
    }
  }

  private Limits limits;
  private boolean known;
  private byte[][] arguments = NOTHING;
  private int filled;
  private int expected = -1;
  private int length = -1;

  /** What has arrived of a large string. */
  private byte[] partial = NONE;

  private int arrived;
  private final Admission admission;

  /** What the request that is arriving needs, and what was admitted for it. */
  private long needed;

  private long admitted;

  /** Why the request that is arriving is thrown away, or {@code null}. */
  private @Nullable String refusal;

  private @Nullable String lastRefusal;

  public RequestDecoder(Limits limits, boolean known, Admission admission) {
    this.limits = limits;
    this.known = known;
    this.admission = admission;
  }

  /** The error that answers the last request, if that was thrown away; otherwise {@code null}. */
  public @Nullable String refusal() {
    return lastRefusal;
  }

  /** Applies limits from the next request on. */
  public void limits(Limits changed, boolean authenticated) {
    limits = changed;
    known = authenticated;
  }

  /**
   * The next request, or {@code null} if it has not arrived completely; empty if it has no
   * arguments.
   *
   * @return the command's name and its arguments, which belong to the caller
   */
  public byte @Nullable [][] next(ByteBuf in) throws ProtocolException {
    if (expected < 0) {
      lastRefusal = null;
      if (!in.isReadable()) {
        return null;
      }
      if (in.getByte(in.readerIndex()) != '*') {
        return inline(in);
      }
      long count = number(in, "too big mbulk count string", "invalid multibulk length");
      if (count == UNFINISHED) {
        return null;
      }
      if (count > limits.arguments) {
        throw new ProtocolException(
            known ? "invalid multibulk length" : "unauthenticated multibulk length");
      }
      if (count <= 0) {
        return NOTHING;
      }
      expected = (int) count;
      arguments = new byte[Math.min(expected, 64)][];
      filled = 0;
      needed = 0;
    }
    while (filled < expected) {
      byte[] bulk = bulk(in);
      if (bulk == null) {
        return null;
      }
      if (refusal != null) {
        filled++;
        continue;
      }
      if (filled == arguments.length) {
        arguments = Arrays.copyOf(arguments, Math.min(expected, filled * 2));
      }
      arguments[filled++] = bulk;
    }
    byte[][] request = arguments;
    arguments = NOTHING;
    expected = -1;
    admitted = 0;
    lastRefusal = refusal;
    refusal = null;
    return lastRefusal == null ? request : REFUSED;
  }

  /** Makes room for a string, or begins to throw the request away. */
  private void admit(int size) {
    if (refusal != null) {
      return;
    }
    needed += size + (long) Request.OVERHEAD;
    long more = needed - admitted;
    if (size > limits.bytes) {
      refuse(
          "ERR a string of %d MB: this server takes up to %d MB (max_argument and memory in its [limits])"
              .formatted(size >> 20, limits.bytes >> 20));
    } else if (more > UNASKED && admission.admit(more)) {
      admitted = needed;
    } else if (more > UNASKED) {
      refuse("OOM " + NO_MEMORY);
    }
  }

  /** The rest of the request is read, since others may follow it. */
  private void refuse(String text) {
    refusal = text;
    arguments = NOTHING;
    admitted = 0;
  }

  private byte @Nullable [] bulk(ByteBuf in) throws ProtocolException {
    if (length < 0) {
      if (!in.isReadable()) {
        return null;
      }
      byte first = in.getByte(in.readerIndex());
      if (first != '$') {
        throw new ProtocolException("expected '$', got '" + (char) (first & 0x7f) + "'");
      }
      long size = number(in, "too big bulk count string", "invalid bulk length");
      if (size == UNFINISHED) {
        return null;
      }
      if (size < 0 || size > (known ? Bytes.MAX_LENGTH : limits.bytes)) {
        throw new ProtocolException(
            known || size < 0 ? "invalid bulk length" : "unauthenticated bulk length");
      }
      length = (int) size;
      admit(length);
    }
    if (refusal != null) {
      return skipped(in);
    }
    if (partial.length > 0 || (length >= LARGE && in.readableBytes() - 2 < length)) {
      return large(in);
    }
    if (in.readableBytes() - 2 < length) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    in.skipBytes(2);
    length = -1;
    return bytes;
  }

  /** Takes what has arrived of a large string at once, or it would be copied again and again. */
  private byte @Nullable [] large(ByteBuf in) {
    int now = Math.min(length - arrived, in.readableBytes());
    if (arrived + now > partial.length) {
      int size = length; // its quarters, so that the last copy is one of a quarter
      while (size / GROWTH >= Math.max(LARGE / GROWTH, arrived + now)) {
        size /= GROWTH;
      }
      partial = Arrays.copyOf(partial, size);
    }
    in.readBytes(partial, arrived, now);
    arrived += now;
    if (arrived < length || in.readableBytes() < 2) {
      return null;
    }
    in.skipBytes(2);
    byte[] bytes = partial;
    partial = NONE;
    arrived = 0;
    length = -1;
    return bytes;
  }

  private byte @Nullable [] skipped(ByteBuf in) {
    int now = Math.min(length + 2 - arrived, in.readableBytes());
    in.skipBytes(now);
    arrived += now;
    if (arrived < length + 2) {
      return null;
    }
    arrived = 0;
    length = -1;
    return NONE;
  }

  /** How many bytes of memory were admitted for a request that has not arrived completely. */
  public long bytes() {
    return admitted;
  }

  private static final long UNFINISHED = Long.MIN_VALUE;

  /** The number of a line such as {@code *3}, or {@link #UNFINISHED} if nothing was read. */
  private static long number(ByteBuf in, String tooLong, String invalid) throws ProtocolException {
    int start = in.readerIndex() + 1;
    int end = in.writerIndex();
    int at = start;
    long value = 0;
    boolean negative = false;
    for (; at < end; at++) {
      byte digit = in.getByte(at);
      if (digit == '\r') {
        break;
      }
      if (digit == '-' && at == start) {
        negative = true;
      } else if (digit < '0' || digit > '9' || value > Integer.MAX_VALUE) {
        throw new ProtocolException(invalid);
      } else {
        value = value * 10 + digit - '0';
      }
    }
    if (at - start > MAX_LINE) {
      throw new ProtocolException(tooLong);
    }
    if (at + 1 >= end) {
      return UNFINISHED;
    }
    if (at == start || (negative && at == start + 1)) {
      throw new ProtocolException(invalid);
    }
    in.readerIndex(at + 2);
    return negative ? -value : value;
  }

  private static byte @Nullable [][] inline(ByteBuf in) throws ProtocolException {
    int max = Math.min(in.readableBytes(), MAX_LINE + 1);
    int end = in.forEachByte(in.readerIndex(), max, ByteProcessor.FIND_LF);
    if (end < 0) {
      if (in.readableBytes() > MAX_LINE) {
        throw new ProtocolException("too big inline request");
      }
      return null;
    }
    byte[] line = new byte[end - in.readerIndex()];
    in.readBytes(line);
    in.skipBytes(1);
    boolean return_ = line.length > 0 && line[line.length - 1] == '\r';
    return arguments(line, return_ ? line.length - 1 : line.length);
  }

  /** Arguments between spaces; with escapes in double quotes, verbatim in single quotes. */
  private static byte[][] arguments(byte[] line, int end) throws ProtocolException {
    List<byte[]> arguments = new ArrayList<>();
    int at = 0;
    while (true) {
      while (at < end && space(line[at])) {
        at++;
      }
      if (at == end) {
        return arguments.toArray(NOTHING);
      }
      ByteArrayOutputStream argument = new ByteArrayOutputStream();
      byte quote = 0;
      for (; at < end && (quote != 0 || !space(line[at])); at++) {
        byte c = line[at];
        if (quote == 0 && (c == '"' || c == '\'')) {
          quote = c;
        } else if (quote != 0 && c == quote) {
          if (at + 1 < end && !space(line[at + 1])) {
            throw new ProtocolException("unbalanced quotes in request");
          }
          quote = 0;
        } else if (quote == '"' && c == '\\' && at + 1 < end) {
          at = escape(line, at + 1, end, argument);
        } else if (quote == '\'' && c == '\\' && at + 1 < end && line[at + 1] == '\'') {
          argument.write('\'');
          at++;
        } else {
          argument.write(c);
        }
      }
      if (quote != 0) {
        throw new ProtocolException("unbalanced quotes in request");
      }
      arguments.add(argument.toByteArray());
    }
  }

  /** Writes what an escape stands for; returns the position of its last byte. */
  private static int escape(byte[] line, int at, int end, ByteArrayOutputStream argument) {
    byte c = line[at];
    if (c == 'x' && at + 2 < end) {
      int high = Character.digit(line[at + 1], 16);
      int low = Character.digit(line[at + 2], 16);
      if (high >= 0 && low >= 0) {
        argument.write(high << 4 | low);
        return at + 2;
      }
    }
    argument.write(
        switch (c) {
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'b' -> '\b';
          case 'a' -> 7;
          default -> c;
        });
    return at;
  }

  private static boolean space(byte c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0;
  }
}
