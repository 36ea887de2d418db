package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.Write;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Batches in RocksDB's own format, that of its write-ahead log (see {@code db/write_batch.cc}): a
 * 12-byte header, whose last four bytes count the records, and for each record its type, the number
 * of the column family unless that is the default one, key and value, each preceded by its length.
 * So a batch crosses into native code once, not once per write.
 */
final class BatchBytes {
  /** The most bytes of one batch that are collected here: a large value is not copied for that. */
  private static final long MOST = 8 << 20;

  private static final int HEAD = 12;
  private static final int DELETION = 0;
  private static final int VALUE = 1;

  /** Added to a record's type if it is not in the default family. */
  private static final int FAMILY = 4;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private int at = HEAD;

  private BatchBytes(int size) {
    bytes = new byte[size];
  }

  /** Returns how many of the first writes {@link #of} can take, up to one that removes a range. */
  static int count(List<Write<RocksDbTable>> writes) {
    long bytes = 0;
    int count = 0;
    while (count < writes.size() && bytes < MOST) {
      Write<RocksDbTable> write = writes.get(count);
      long size = write.range() == null ? size(write) : MOST;
      bytes += size;
      if (bytes >= MOST) {
        break;
      }
      count++;
    }
    return count;
  }

  /** Returns a batch of writes of single entries. */
  static byte[] of(List<Write<RocksDbTable>> writes) {
    int size = HEAD;
    for (Write<RocksDbTable> write : writes) {
      size += (int) size(write);
    }
    BatchBytes batch = new BatchBytes(size);
    INT.set(batch.bytes, HEAD - 4, writes.size());
    for (Write<RocksDbTable> write : writes) {
      batch.add(write);
    }
    return batch.bytes;
  }

  private static long size(Write<RocksDbTable> write) {
    int family = write.table().id();
    byte[] value = write.value();
    return 1L
        + (family == 0 ? 0 : lengthOf(family))
        + sizeOf(write.key())
        + (value == null ? 0 : sizeOf(value));
  }

  private static long sizeOf(byte[] string) {
    return (long) lengthOf(string.length) + string.length;
  }

  private static int lengthOf(int number) {
    return number == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(number)) / 7;
  }

  private void add(Write<RocksDbTable> write) {
    int family = write.table().id();
    byte[] value = write.value();
    bytes[at++] = (byte) ((value == null ? DELETION : VALUE) + (family == 0 ? 0 : FAMILY));
    if (family != 0) {
      number(family);
    }
    string(write.key());
    if (value != null) {
      string(value);
    }
  }

  private void string(byte[] string) {
    number(string.length);
    System.arraycopy(string, 0, bytes, at, string.length);
    at += string.length;
  }

  /** Appends seven bits per byte, the lowest first; the highest bit says that more follow. */
  private void number(int number) {
    int left = number;
    while (left >>> 7 != 0) {
      bytes[at++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[at++] = (byte) left;
  }
}
