package io.kvstadium.transfer.redis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes the compact lists of Redis' dumps, which {@link RdbReader#listpack} reads. */
final class ListPack {
  /** The bytes before the entries. */
  private static final int HEAD = 6;

  private static final int END = 0xff;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int count;

  ListPack integer(long value) {
    ByteBuffer bytes = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN);
    if (value >= 0 && value < 128) {
      bytes.put((byte) value);
    } else if (value >= -4_096 && value < 4_096) {
      bytes.put((byte) (0xc0 | (value >> 8 & 0x1f))).put((byte) value);
    } else if (value == (short) value) {
      bytes.put((byte) 0xf1).putShort((short) value);
    } else if (value == (int) value) {
      bytes.put((byte) 0xf3).putInt((int) value);
    } else {
      bytes.put((byte) 0xf4).putLong(value);
    }
    return entry(bytes, new byte[0]);
  }

  ListPack string(byte[] value) {
    ByteBuffer bytes = ByteBuffer.allocate(5).order(ByteOrder.LITTLE_ENDIAN);
    int length = value.length;
    if (length < 64) {
      bytes.put((byte) (0x80 | length));
    } else if (length < 4_096) {
      bytes.put((byte) (0xe0 | length >> 8)).put((byte) length);
    } else {
      bytes.put((byte) 0xf0).putInt(length);
    }
    return entry(bytes, value);
  }

  /** An entry is followed by its length, for walking backwards: the highest seven bits first. */
  private ListPack entry(ByteBuffer head, byte[] value) {
    head.flip();
    int length = head.remaining() + value.length;
    while (head.hasRemaining()) {
      out.write(head.get());
    }
    out.writeBytes(value);
    int groups = 1;
    while (groups < 5 && length >= (groups == 1 ? 128 : (1L << (7 * groups)) - 1)) {
      groups++;
    }
    for (int i = groups - 1; i >= 0; i--) {
      out.write(((length >>> (7 * i)) & 0x7f) | (i == groups - 1 ? 0 : 0x80));
    }
    count++;
    return this;
  }

  int size() {
    return HEAD + out.size() + 1;
  }

  /** How many bytes, how many entries, the entries, and an end. */
  byte[] finish() {
    return ByteBuffer.allocate(size())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(size())
        .putShort((short) Math.min(count, 0xffff))
        .put(out.toByteArray())
        .put((byte) END)
        .array();
  }
}
