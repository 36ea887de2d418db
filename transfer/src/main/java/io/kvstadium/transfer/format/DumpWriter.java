package io.kvstadium.transfer.format;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the binary dump. */
public final class DumpWriter implements EntryWriter {
  /** A block ends as soon as it has this many bytes. */
  private static final int BLOCK = 256 << 10;

  /** Zstandard's default: near the disk's speed, and a higher level gains little. */
  private static final int LEVEL = 3;

  private static final int LONGEST_VARINT = 5;

  private final OutputStream out;
  private final int full;
  private final ZstdCompressCtx zstd = DumpFormat.zstd(ZstdCompressCtx::new).setLevel(LEVEL);
  private byte[] block = new byte[BLOCK + (BLOCK >> 2)];
  private byte[] packed = new byte[0];
  private int length;

  public DumpWriter(OutputStream out) throws IOException {
    this(out, BLOCK);
  }

  /** A writer with the given block size, for tests. */
  public DumpWriter(OutputStream out, int full) throws IOException {
    this.out = out;
    this.full = full;
    out.write(DumpFormat.fileHeader());
  }

  @Override
  public void table(String name) throws IOException {
    flush();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    write(DumpFormat.TABLE, bytes, bytes.length, bytes.length);
  }

  @Override
  public void entry(byte[] key, byte[] value) throws IOException {
    long needed = length + 2L * LONGEST_VARINT + key.length + value.length;
    if (needed > block.length) {
      flush();
      needed = 2L * LONGEST_VARINT + key.length + value.length;
      if (needed > block.length) {
        block = new byte[Math.toIntExact(needed)];
      }
    }
    varint(key.length);
    varint(value.length);
    System.arraycopy(key, 0, block, length, key.length);
    length += key.length;
    System.arraycopy(value, 0, block, length, value.length);
    length += value.length;
    if (length >= full) {
      flush();
    }
  }

  private void varint(int number) {
    int rest = number;
    while (rest > 0x7f) {
      block[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    block[length++] = (byte) rest;
  }

  private void flush() throws IOException {
    if (length == 0) {
      return;
    }
    long bound = Zstd.compressBound(length);
    if (packed.length < bound) {
      packed = new byte[Math.toIntExact(bound)];
    }
    int size = zstd.compressByteArray(packed, 0, packed.length, block, 0, length);
    if (size < length) {
      write(DumpFormat.PACKED, packed, size, length);
    } else {
      write(DumpFormat.PLAIN, block, length, length);
    }
    length = 0;
    if (block.length > 2 * BLOCK) { // after a giant
      block = Arrays.copyOf(block, BLOCK + (BLOCK >> 2));
      packed = new byte[0];
    }
  }

  private void write(byte type, byte[] payload, int stored, int whole) throws IOException {
    out.write(DumpFormat.blockHeader(type, payload, stored, whole));
    out.write(payload, 0, stored);
  }

  @Override
  public void end(ContentSum sum) throws IOException {
    flush();
    byte[] trailer =
        ByteBuffer.allocate(DumpFormat.TRAILER)
            .putLong(sum.entries())
            .putLong(sum.bytes())
            .putLong(sum.high())
            .putLong(sum.low())
            .array();
    write(DumpFormat.END, trailer, trailer.length, trailer.length);
    out.flush();
  }

  @Override
  public void close() {
    zstd.close();
  }
}
