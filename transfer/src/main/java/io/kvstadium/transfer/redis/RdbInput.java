package io.kvstadium.transfer.redis;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Reads numbers and strings as Redis dumps them, with the checksum of everything that was read. */
public final class RdbInput {
  /** Bytes of the longest string, as in Redis. */
  static final int MAX_STRING = 1 << 29;

  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final byte[] buffer;
  private int at;
  private int end;

  /** The bytes before the buffer, and their checksum. */
  private long before;

  private long crc;

  /** Input from a file or a pipe. Its failures are thrown unchecked. */
  public RdbInput(InputStream in) {
    this.in = in;
    this.buffer = new byte[BUFFER];
  }

  /** The body of a payload. */
  public RdbInput(byte[] body) {
    this.in = new ByteArrayInputStream(new byte[0]);
    this.buffer = body;
    this.end = body.length;
  }

  static RdbException bad() {
    return new RdbException("ERR Bad data format");
  }

  /** How many bytes were read. */
  public long offset() {
    return before + at;
  }

  /** The checksum of the bytes that were read. */
  public long checksum() {
    return Rdb.checksum(crc, buffer, at);
  }

  public boolean isAtEnd() {
    return at == end && !fill();
  }

  private boolean fill() {
    before += at;
    crc = checksum();
    at = 0;
    end = 0;
    try {
      end = Math.max(0, in.read(buffer));
      return end > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static UncheckedIOException cut() {
    return new UncheckedIOException(new EOFException());
  }

  public int octet() {
    if (isAtEnd()) {
      throw cut();
    }
    return buffer[at++] & 0xff;
  }

  public byte[] bytes(int length) {
    byte[] bytes = new byte[Math.min(length, Math.max(end - at, BUFFER))];
    for (int have = 0; have < length; ) { // grows with what is there, whatever the length claims
      if (have == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * have));
      }
      if (isAtEnd()) {
        throw cut();
      }
      int count = Math.min(bytes.length - have, end - at);
      System.arraycopy(buffer, at, bytes, have, count);
      at += count;
      have += count;
    }
    return bytes;
  }

  private ByteBuffer little(int length) {
    return ByteBuffer.wrap(bytes(length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A number in four bytes. */
  public int small() {
    return little(4).getInt();
  }

  /** A number in eight bytes. */
  public long fixed() {
    return little(8).getLong();
  }

  /** A number without a sign; negative for what stands before a string that is encoded. */
  private long number() {
    int first = octet();
    return switch (first >> 6) {
      case 0 -> first;
      case 1 -> (first & 0x3f) << 8 | octet();
      case 2 ->
          first == 0x81
              ? ByteBuffer.wrap(bytes(8)).getLong()
              : ByteBuffer.wrap(bytes(4)).getInt() & 0xffffffffL;
      default -> -1 - (first & 0x3f);
    };
  }

  /** A number of up to 64 bits without a sign. */
  public long unsigned() {
    if (!isAtEnd() && (buffer[at] & 0xc0) == 0xc0) {
      throw bad();
    }
    return number();
  }

  /** An ID of a stream, as two numbers. */
  StreamId id() {
    return new StreamId(unsigned(), unsigned());
  }

  public int length() {
    long length = number();
    if (length < 0 || length > MAX_STRING) {
      throw bad();
    }
    return (int) length;
  }

  public byte[] string() {
    long length = number();
    return switch (Math.clamp(length, -5, MAX_STRING + 1)) {
      case -1 -> Decimal.bytes((byte) octet());
      case -2 -> Decimal.bytes(little(2).getShort());
      case -3 -> Decimal.bytes(small());
      case -4 -> compressed();
      case -5, MAX_STRING + 1 -> throw bad();
      default -> bytes((int) length);
    };
  }

  /** What was packed into one string. */
  ByteBuffer packed() {
    return ByteBuffer.wrap(string()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Unpacks LZF: literals, and copies of what came before. */
  private byte[] compressed() {
    int packed = length();
    int unpacked = length();
    ByteBuffer from = ByteBuffer.wrap(bytes(packed));
    if (unpacked > 300L * packed) {
      throw bad(); // more than three bytes can stand for
    }
    try {
      return unpacked(from, unpacked);
    } catch (BufferUnderflowException e) {
      throw bad();
    }
  }

  private static byte[] unpacked(ByteBuffer from, int length) {
    byte[] out = new byte[length];
    int to = 0;
    while (from.hasRemaining()) {
      int code = from.get() & 0xff;
      if (code < 32) {
        if (code + 1 > out.length - to) {
          throw bad();
        }
        from.get(out, to, code + 1);
        to += code + 1;
        continue;
      }
      int count = (code >> 5) + 2;
      if (count == 9) {
        count += from.get() & 0xff;
      }
      int source = to - ((code & 31) << 8 | (from.get() & 0xff)) - 1;
      if (source < 0 || count > out.length - to) {
        throw bad();
      }
      for (int i = 0; i < count; i++) { // one by one: it may copy what it has just written
        out[to++] = out[source++];
      }
    }
    if (to != length) {
      throw bad();
    }
    return out;
  }
}
