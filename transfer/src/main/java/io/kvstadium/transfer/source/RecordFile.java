package io.kvstadium.transfer.source;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A mapped file of records: of entries ({@code .data}, {@code .datac}) or of deletions ({@code
 * .tombstone}). Numbers are big-endian; the checksum covers all that follows it.
 *
 * <table>
 *   <caption>A record's head, in bytes; of layout 1 in brackets</caption>
 *   <tr><td>entry</td><td>CRC32 4, version 1, key length 1 (4), value length 4, sequence 8</td></tr>
 *   <tr><td>deletion</td><td>CRC32 4, version 1, sequence 8, key length 1 (4)</td></tr>
 * </table>
 *
 * Key and value follow. Layout 0 is that of HaloDB 0.4 to 0.5.6, layout 1 that of forks.
 */
final class RecordFile {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int CHECKSUM = 4;
  private static final int VERSION_AT = 4;
  private static final int LEAST_HEAD = 14;

  private final Path path;
  private final MemorySegment bytes;
  private final boolean deletions;

  private RecordFile(Path path, MemorySegment bytes, boolean deletions) {
    this.path = path;
    this.bytes = bytes;
    this.deletions = deletions;
  }

  /** Maps a file for as long as the arena lives. */
  static RecordFile map(Path path, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment bytes =
          channel.size() == 0
              ? MemorySegment.NULL
              : channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      return new RecordFile(path, bytes, path.toString().endsWith(".tombstone"));
    }
  }

  Path path() {
    return path;
  }

  boolean deletions() {
    return deletions;
  }

  long size() {
    return bytes.byteSize();
  }

  /**
   * A record.
   *
   * @param key where its key begins
   * @param value where its value begins, after the key
   * @param end where the next one begins
   */
  record Found(long sequence, long key, long value, long end) {}

  /** The record at an offset, or null if nothing there has the form of a record within the file. */
  @Nullable Found at(long offset) {
    if (size() - offset < LEAST_HEAD) {
      return null;
    }
    int version = bytes.get(ValueLayout.JAVA_BYTE, offset + VERSION_AT);
    if (version != 0 && version != 1) {
      return null;
    }
    int width = version == 0 ? Byte.BYTES : Integer.BYTES; // of the key's length
    long lengths = offset + VERSION_AT + 1 + (deletions ? Long.BYTES : 0);
    long rest = lengths + width;
    long head = deletions ? rest : rest + Integer.BYTES + Long.BYTES;
    if (head > size()) {
      return null;
    }
    long keyLength =
        version == 0 ? bytes.get(ValueLayout.JAVA_BYTE, lengths) : bytes.get(INT, lengths);
    long valueLength = deletions ? 0 : bytes.get(INT, rest);
    long sequence = bytes.get(LONG, deletions ? lengths - Long.BYTES : rest + Integer.BYTES);
    long end = head + keyLength + valueLength;
    return keyLength < 1 || valueLength < 0 || end > size()
        ? null
        : new Found(sequence, head, head + keyLength, end);
  }

  /** The same, if its checksum is correct. */
  @Nullable Found sound(long offset, CRC32 crc) {
    Found found = at(offset);
    if (found == null) {
      return null;
    }
    crc.reset();
    crc.update(bytes.asSlice(offset + CHECKSUM, found.end() - offset - CHECKSUM).asByteBuffer());
    return (int) crc.getValue() == bytes.get(INT, offset) ? found : null;
  }

  /** Where the next sound record begins, or the file's size if there is none. */
  long nextSound(long offset, CRC32 crc) {
    for (long at = offset; at < size(); at++) {
      if (sound(at, crc) != null) {
        return at;
      }
    }
    return size();
  }

  MemorySegment key(Found found) {
    return bytes.asSlice(found.key(), found.value() - found.key());
  }

  byte[] value(Found found) {
    return bytes.asSlice(found.value(), found.end() - found.value()).toArray(ValueLayout.JAVA_BYTE);
  }
}
