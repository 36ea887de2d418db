package io.kvstadium.transfer;

import io.kvstadium.store.CorruptException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads lengths, numbers and strings of RDB files, with the checksum of everything read. */
final class RdbInput {
  /** CRC-64 of Jones, reflected, as in Redis. */
  private static final long POLYNOMIAL = 0x95ac9329ac4bc9b5L;

  private static final long[] TABLE = table();

  private static final int BITS_32 = 0x80;
  private static final int BITS_64 = 0x81;

  private final CountedInput in;
  private long crc;

  RdbInput(InputStream in) {
    this.in = new CountedInput(in);
  }

  private static long[] table() {
    long[] table = new long[1 << Byte.SIZE];
    for (int i = 0; i < table.length; i++) {
      long value = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        value = (value & 1) == 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
      }
      table[i] = value;
    }
    return table;
  }

  long offset() {
    return in.offset();
  }

  /** The checksum of all bytes so far. */
  long crc() {
    return crc;
  }

  boolean isAtEnd() throws IOException {
    return in.read() < 0;
  }

  int readByte() throws IOException {
    int read = in.read();
    if (read < 0) {
      throw new EOFException();
    }
    add((byte) read);
    return read;
  }

  byte[] bytes(long length) throws IOException {
    if (length < 0 || length > Integer.MAX_VALUE - 8) {
      throw new CorruptException("a string cannot have " + length + " bytes");
    }
    byte[] bytes = in.exactly((int) length);
    for (byte each : bytes) {
      add(each);
    }
    return bytes;
  }

  private void add(byte each) {
    crc = TABLE[(int) (crc ^ each) & 0xff] ^ (crc >>> Byte.SIZE);
  }

  long littleEndian(int bytes) throws IOException {
    byte[] eight = new byte[Long.BYTES];
    System.arraycopy(bytes(bytes), 0, eight, 0, bytes);
    return ByteBuffer.wrap(eight).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private long signed(int bytes) throws IOException {
    int unused = Long.SIZE - bytes * Byte.SIZE;
    return (littleEndian(bytes) << unused) >> unused;
  }

  /** A length, as opposed to the mark of a specially encoded string. */
  long length() throws IOException {
    int first = readByte();
    if (first >> 6 == 3) {
      throw new CorruptException("expected a length, found a string");
    }
    return length(first);
  }

  private long length(int first) throws IOException {
    return switch (first >> 6) {
      case 0 -> first & 0x3f;
      case 1 -> ((first & 0x3fL) << Byte.SIZE) | readByte();
      default ->
          switch (first) {
            case BITS_32 -> ByteBuffer.wrap(bytes(Integer.BYTES)).getInt() & 0xffffffffL;
            case BITS_64 -> ByteBuffer.wrap(bytes(Long.BYTES)).getLong();
            default -> throw new CorruptException("a length cannot begin with " + first);
          };
    };
  }

  /** A string, stored as its bytes, as a number, or packed. */
  byte[] string() throws IOException {
    int first = readByte();
    if (first >> 6 != 3) {
      return bytes(length(first));
    }
    return switch (first & 0x3f) {
      case 0 -> digits(signed(1));
      case 1 -> digits(signed(Short.BYTES));
      case 2 -> digits(signed(Integer.BYTES));
      case 3 -> {
        long packed = length();
        long whole = length();
        byte[] stored = bytes(packed);
        if (whole < 0 || whole > Integer.MAX_VALUE - 8) {
          throw new CorruptException("a string cannot have " + whole + " bytes");
        }
        byte[] string = Lzf.unpack(stored, (int) whole);
        if (string == null) {
          throw new CorruptException("a packed string does not unpack to its length");
        }
        yield string;
      }
      default -> throw new CorruptException("a string cannot begin with " + first);
    };
  }

  private static byte[] digits(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }
}
