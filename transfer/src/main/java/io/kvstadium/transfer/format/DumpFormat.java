package io.kvstadium.transfer.format;

import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.help.NativeCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * What the writer and reader of the binary dump share; see {@code docs/internals/dump-format.md}.
 */
public final class DumpFormat {
  /** The first byte is not text, and converting line ends changes the last. */
  static final byte[] MAGIC = {(byte) 0x89, 'K', 'V', 'D', 'U', 'M', 'P', '\n'};

  static final int VERSION = 1;

  /** Magic, version, three zero bytes, their checksum. */
  static final int FILE_HEADER = 16;

  /** Type, three zero bytes, stored and unpacked length, two checksums. */
  static final int BLOCK_HEADER = 20;

  /** Entries, bytes and the two halves of their sum. */
  static final int TRAILER = 4 * Long.BYTES;

  static final byte TABLE = 'T';
  static final byte PACKED = 'Z';
  static final byte PLAIN = 'P';
  static final byte END = 'E';

  private DumpFormat() {}

  static byte[] fileHeader() {
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER).put(MAGIC).putInt(VERSION << 24);
    return header.putInt(crc(header.array(), header.position())).array();
  }

  static byte[] blockHeader(byte type, byte[] payload, int length, int whole) {
    ByteBuffer header =
        ByteBuffer.allocate(BLOCK_HEADER)
            .putInt(type << 24)
            .putInt(length)
            .putInt(whole)
            .putInt(crc(payload, length));
    return header.putInt(crc(header.array(), header.position())).array();
  }

  static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /**
   * Whether a file that begins so is a dump.
   *
   * @param text its first bytes, each a character
   */
  public static boolean isDump(String text) {
    return text.startsWith(new String(MAGIC, StandardCharsets.ISO_8859_1));
  }

  /** Makes what needs the native library of Zstandard. */
  static <T> T zstd(Supplier<T> constructor) {
    try {
      return constructor.get();
    } catch (LinkageError e) {
      String forbidden = NativeCode.forbidden("ZstdTempFolder");
      if (forbidden == null) {
        throw e;
      }
      throw new UnsupportedException("binary dumps need Zstandard: " + forbidden, e);
    }
  }
}
