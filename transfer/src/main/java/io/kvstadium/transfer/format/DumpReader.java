package io.kvstadium.transfer.format;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.kvstadium.store.CorruptException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the binary dump, and returns nothing from a damaged block. */
public final class DumpReader implements EntryReader {
  private final CountedInput in;
  private final Set<String> tables = new HashSet<>();
  private @Nullable String table;
  private ContentSum.Adder sum = new ContentSum.Adder("");
  private ContentSum before = ContentSum.NONE;
  private ByteBuffer block = ByteBuffer.allocate(0);
  private long number;
  private long start;
  private boolean ended;

  public DumpReader(InputStream in) throws IOException {
    this.in = new CountedInput(in);
    byte[] header = this.in.upTo(DumpFormat.FILE_HEADER);
    if (!Arrays.equals(
        header, 0, Math.min(header.length, 8), DumpFormat.MAGIC, 0, DumpFormat.MAGIC.length)) {
      throw new CorruptException(
          "this is not a KV Stadium dump, which begins with 89 4b 56 44 55 4d 50 0a: name its"
              + " format");
    }
    if (header.length == DumpFormat.FILE_HEADER && header[8] > DumpFormat.VERSION) {
      throw new CorruptException(
          "this dump has version "
              + header[8]
              + ", and this program reads up to "
              + DumpFormat.VERSION
              + ": use a newer one");
    }
    if (!Arrays.equals(header, DumpFormat.fileHeader())) {
      throw new CorruptException("damaged dump: the header, bytes 0 to 15, is not whole");
    }
  }

  @Override
  public Set<String> tables() {
    return tables;
  }

  @Override
  public @Nullable Item next() throws IOException {
    while (!block.hasRemaining()) {
      if (ended || !readBlock()) {
        return null;
      }
    }
    if (table == null) {
      throw damaged("it has entries, and no table block precedes it");
    }
    byte[] key;
    byte[] value;
    try {
      int keyLength = varint();
      int valueLength = varint();
      if (keyLength < 0 || valueLength < 0 || keyLength > block.remaining() - valueLength) {
        throw damaged("an entry in it is longer than what is left of it");
      }
      key = new byte[keyLength];
      value = new byte[valueLength];
      block.get(key).get(value);
    } catch (java.nio.BufferUnderflowException e) {
      throw damaged("it ends within an entry");
    }
    sum.add(key, value);
    return new Item(table, key, value);
  }

  private int varint() {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = block.get();
      number |= (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    return -1;
  }

  /** Reads the next block; false after the trailer. */
  private boolean readBlock() throws IOException {
    start = in.offset();
    number++;
    byte[] raw = in.upTo(DumpFormat.BLOCK_HEADER);
    if (raw.length == 0) {
      throw damaged("the dump ends here, without its trailer");
    }
    if (raw.length < DumpFormat.BLOCK_HEADER) {
      throw damaged("the dump ends within its header");
    }
    ByteBuffer header = ByteBuffer.wrap(raw);
    if (header.getInt(16) != DumpFormat.crc(raw, 16)) {
      throw damaged("its header does not have its checksum");
    }
    int stored = header.getInt(4);
    int whole = header.getInt(8);
    boolean trailer = raw[0] == DumpFormat.END;
    if (stored < 0 || whole < 0 || (trailer && stored != DumpFormat.TRAILER)) {
      throw damaged("it has an impossible length");
    }
    byte[] payload = in.upTo(stored);
    if (payload.length < stored) {
      throw damaged("the dump ends within it");
    }
    if (header.getInt(12) != DumpFormat.crc(payload, stored)) {
      throw damaged("its content does not have its checksum");
    }
    switch (raw[0]) {
      case DumpFormat.TABLE -> {
        table = new String(payload, StandardCharsets.UTF_8);
        tables.add(table);
        before = before.plus(sum.sum());
        sum = new ContentSum.Adder(table);
      }
      case DumpFormat.PLAIN -> block = ByteBuffer.wrap(payload);
      case DumpFormat.PACKED -> block = ByteBuffer.wrap(unpack(payload, whole));
      case DumpFormat.END -> end(ByteBuffer.wrap(payload));
      default -> throw damaged("its type " + raw[0] + " is not known in this version");
    }
    return !ended;
  }

  private byte[] unpack(byte[] payload, int whole) {
    byte[] unpacked = new byte[whole];
    try (ZstdDecompressCtx zstd = DumpFormat.zstd(ZstdDecompressCtx::new)) {
      int length = zstd.decompressByteArray(unpacked, 0, whole, payload, 0, payload.length);
      if (length != whole) {
        throw damaged("it unpacks to " + length + " bytes instead of " + whole);
      }
    } catch (ZstdException e) {
      throw damaged("it does not unpack: " + e.getMessage());
    }
    return unpacked;
  }

  private void end(ByteBuffer trailer) throws IOException {
    ended = true;
    ContentSum read = before.plus(sum.sum());
    ContentSum written =
        new ContentSum(trailer.getLong(), trailer.getLong(), trailer.getLong(), trailer.getLong());
    if (!read.equals(written)) {
      throw damaged(
          "the trailer names "
              + written.entries()
              + " entries with sum "
              + written.hex()
              + ", and there are "
              + read.entries()
              + " with sum "
              + read.hex());
    }
    if (in.read() >= 0) {
      throw damaged("something follows the trailer");
    }
  }

  private CorruptException damaged(String what) {
    return new CorruptException(
        "damaged dump: block "
            + number
            + " at byte "
            + start
            + ": "
            + what
            + "; before it there are "
            + before.plus(sum.sum()).entries()
            + " whole entries");
  }
}
