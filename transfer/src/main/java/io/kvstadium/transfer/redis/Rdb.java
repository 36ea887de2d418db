package io.kvstadium.transfer.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;

/**
 * The format of DUMP and RESTORE, which is that of Redis' files: a type byte, the value, two bytes
 * of version, and a checksum.
 */
public final class Rdb {
  /** The version of Redis 7.0. */
  private static final int VERSION = 10;

  /** The version of Redis 7.4 and 8. */
  public static final int HIGHEST = 12;

  private static final int TAIL = 10;

  static final int STRING = 0;
  static final int LIST = 1;
  static final int SET = 2;
  static final int SORTED_SET_OF_TEXTS = 3;
  static final int HASH = 4;
  static final int SORTED_SET = 5;
  static final int STREAM_5 = 15;
  static final int STREAM = 19;
  static final int STREAM_7_2 = 21;
  static final int EXPIRING_HASH = 24;

  /** Precedes the source of a library of functions. */
  static final int FUNCTION = 245;

  /** CRC-64 of Jones, bits reversed. */
  private static final long POLYNOMIAL = 0x95ac9329ac4bc9b5L;

  private static final long[] TABLE = table();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final int version;

  /** A payload of this type, to be filled and {@link #finish finished}. */
  Rdb(int type) {
    version = type == EXPIRING_HASH ? HIGHEST : VERSION;
    out.write(type);
  }

  private Rdb() {
    version = VERSION;
  }

  /** The payload of FUNCTION DUMP for the sources of libraries. */
  public static byte[] functions(Collection<byte[]> sources) {
    Rdb all = new Rdb();
    for (byte[] each : sources) {
      all.out.write(FUNCTION);
      all.string(each);
    }
    return all.finish();
  }

  private static long[] table() {
    long[] table = new long[256];
    for (int i = 0; i < table.length; i++) {
      long crc = i;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
      }
      table[i] = crc;
    }
    return table;
  }

  /**
   * A checksum continued.
   *
   * @param before of the bytes before these; 0 if there are none
   */
  static long checksum(long before, byte[] bytes, int length) {
    long crc = before;
    for (int i = 0; i < length; i++) {
      crc = TABLE[(int) (crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
    }
    return crc;
  }

  /** A length, or another number without a sign. */
  Rdb length(long length) {
    if (length >= 0 && length < 1 << 6) {
      out.write((int) length);
    } else if (length >= 0 && length < 1 << 14) {
      out.write((int) (0x40 | (length >> 8)));
      out.write((int) length);
    } else if (length >= 0 && length <= 0xffffffffL) {
      out.write(0x80);
      out.writeBytes(ByteBuffer.allocate(4).putInt((int) length).array());
    } else {
      out.write(0x81);
      out.writeBytes(ByteBuffer.allocate(8).putLong(length).array());
    }
    return this;
  }

  /** A string; a number of up to 32 bits takes as few bytes as it needs. */
  Rdb string(byte[] value) {
    long number = value.length > 11 ? Long.MIN_VALUE : Decimal.integer(value, Long.MIN_VALUE);
    ByteBuffer bytes = ByteBuffer.allocate(5).order(ByteOrder.LITTLE_ENDIAN);
    if (number == (byte) number) {
      bytes.put((byte) 0xc0).put((byte) number);
    } else if (number == (short) number) {
      bytes.put((byte) 0xc1).putShort((short) number);
    } else if (number == (int) number) {
      bytes.put((byte) 0xc2).putInt((int) number);
    } else {
      length(value.length);
      if (out.size() > RdbInput.MAX_STRING - value.length) {
        throw new RdbException("ERR what the key holds takes more than 512 MB");
      }
      out.writeBytes(value);
      return this;
    }
    out.write(bytes.array(), 0, bytes.position());
    return this;
  }

  Rdb real(double value) {
    return fixed(Double.doubleToRawLongBits(value));
  }

  /** A number in eight bytes, such as a time. */
  Rdb fixed(long value) {
    return raw(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
  }

  /** Bytes without their number. */
  Rdb raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /** An ID of a stream, as two numbers. */
  Rdb id(StreamId id) {
    return length(id.ms()).length(id.seq());
  }

  /** The payload, with its version and checksum. */
  byte[] finish() {
    byte[] body = out.toByteArray();
    ByteBuffer whole =
        ByteBuffer.allocate(body.length + TAIL).order(ByteOrder.LITTLE_ENDIAN).put(body);
    whole.putShort((short) version);
    return whole.putLong(checksum(0, whole.array(), whole.position())).array();
  }

  /**
   * The content of a payload, without its version and checksum.
   *
   * @throws RdbException if its version is unknown or its checksum wrong
   */
  public static byte[] body(byte[] payload) {
    int end = payload.length - TAIL;
    if (end >= 0) {
      ByteBuffer tail = ByteBuffer.wrap(payload, end, TAIL).order(ByteOrder.LITTLE_ENDIAN);
      int version = tail.getShort() & 0xffff;
      if (version <= HIGHEST && tail.getLong() == checksum(0, payload, payload.length - 8)) {
        return Arrays.copyOf(payload, end);
      }
    }
    throw new RdbException("ERR DUMP payload version or checksum are wrong");
  }
}
