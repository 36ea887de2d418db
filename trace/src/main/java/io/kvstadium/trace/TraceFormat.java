package io.kvstadium.trace;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What the writer and the reader share; see {@code docs/internals/trace-format.md}. */
final class TraceFormat {
  /** The first byte is not text, and converting line ends changes the last. */
  static final byte[] MAGIC = {(byte) 0x89, 'K', 'V', 'T', 'R', 'A', 'C', '\n'};

  /** Version 1 has no {@link Kind#VALUE}. */
  static final int VERSION = 2;

  /** Magic, version, three zero bytes, their checksum. */
  static final int FILE_HEADER = 16;

  /** What each block begins with, so that a reader finds the next one after damage. */
  static final int MARK = 0x4b_56_54_b1;

  /** Mark, type, length of the content in three bytes, checksum of the length and the content. */
  static final int BLOCK_HEADER = 12;

  /** A block with its header. */
  static final int MAX_BLOCK = 1 << 16;

  static final int MAX_CONTENT = MAX_BLOCK - BLOCK_HEADER;

  /** The longest key, so that an operation fits into a block whatever it is. */
  static final int MAX_KEY = 1 << 14;

  /** The longest name of a table, in bytes. */
  static final int MAX_NAME = 1 << 12;

  static final byte HEADER = 'H';
  static final byte OPERATIONS = 'O';
  static final byte END = 'E';

  /** Of the first byte of an operation, above the code of its kind. */
  static final int THREAD = 0x20;

  static final int TABLE = 0x40;
  static final int OUTCOME = 0x80;

  /** How many bits of a time in nanoseconds are left out: a tick is 16 ns. */
  static final int TICK = 4;

  private TraceFormat() {}

  static byte[] fileHeader(int version) {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER).put(MAGIC).putInt(version << 24);
    return header.putInt(crc(header.array(), 0, header.position())).array();
  }

  static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  static long ticks(long nanoseconds) {
    return (nanoseconds + (1 << TICK >> 1)) >> TICK;
  }

  static long zigzag(long value) {
    return value << 1 ^ value >> 63;
  }

  static long unzigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }
}
