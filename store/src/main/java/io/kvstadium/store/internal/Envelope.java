package io.kvstadium.store.internal;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A checksum after each value, of its table, its key and its bytes: CRC32C, so that hardware
 * computes it, least significant byte first. A value that was damaged, or ended up at another key
 * or table, does not agree with it.
 */
final class Envelope {
  /** How much longer a value becomes. */
  static final int LENGTH = Integer.BYTES;

  private static final ValueLayout.OfInt CHECKSUM =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN);

  private Envelope() {}

  private static CRC32C begin(String table, byte[] key) {
    CRC32C checksum = new CRC32C();
    checksum.update(table.getBytes(StandardCharsets.ISO_8859_1)); // letters, digits, _ - and .
    checksum.update(0); // which no table name has
    checksum.update(key);
    return checksum;
  }

  static byte[] sealed(String table, byte[] key, byte[] value) {
    CRC32C checksum = begin(table, key);
    checksum.update(value);
    byte[] sealed = Arrays.copyOf(value, value.length + LENGTH);
    MemorySegment.ofArray(sealed).set(CHECKSUM, value.length, (int) checksum.getValue());
    return sealed;
  }

  static Iterator<Entry> sealed(String table, Iterator<Entry> entries) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Entry next() {
        Entry entry = entries.next();
        return new Entry(entry.key(), sealed(table, entry.key(), entry.value()));
      }
    };
  }

  static byte @Nullable [] opened(String table, byte[] key, byte @Nullable [] sealed) {
    return sealed == null
        ? null
        : Arrays.copyOf(sealed, (int) opened(table, key, MemorySegment.ofArray(sealed)).byteSize());
  }

  /** The value itself, as long as what holds it is valid. */
  static MemorySegment opened(String table, byte[] key, MemorySegment sealed) {
    long length = sealed.byteSize() - LENGTH;
    if (length < 0) {
      throw damaged(table, key, "it is too short for one");
    }
    MemorySegment value = sealed.asSlice(0, length);
    CRC32C checksum = begin(table, key);
    checksum.update(value.asByteBuffer());
    int is = (int) checksum.getValue();
    int should = sealed.get(CHECKSUM, length);
    if (is != should) {
      throw damaged(table, key, "it has %08x, and its bytes give %08x".formatted(should, is));
    }
    return value;
  }

  private static CorruptException damaged(String table, byte[] key, String how) {
    return new CorruptException(
        "table "
            + table
            + ": the value of key "
            + Hex.of(key)
            + " does not agree with its checksum ("
            + how
            + "): restore it from a backup");
  }
}
