package io.kvstadium.transfer.halodb;

import io.kvstadium.store.FullException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Where the newest record of each key is: a hash table of 12 bytes for each of its slots, of which
 * between three eighths and three quarters are in use, so 16 to 32 bytes of heap for a key. The
 * keys themselves stay in the files.
 */
final class KeyIndex {
  /** A position is a file's number here, and an offset in that file. */
  private static final int OFFSET_BITS = 31;

  private static final long OFFSET = (1L << OFFSET_BITS) - 1;
  private static final long EMPTY = -1;
  private static final long DELETED = -2;
  private static final int FIRST = 1 << 10;
  private static final int MOST = 1 << 30;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final RecordFile[] files;
  private long[] positions = filled(FIRST);
  private int[] hashes = new int[FIRST];
  private int used; // slots that are not empty

  KeyIndex(RecordFile[] files) {
    this.files = files;
  }

  private static long[] filled(int length) {
    long[] empty = new long[length];
    Arrays.fill(empty, EMPTY);
    return empty;
  }

  /** Takes a record into account. */
  void add(int file, long offset, RecordFile.Found record) {
    MemorySegment key = files[file].key(record);
    int hash = hash(key);
    int slot = slot(hash, key);
    long position = ((long) file << OFFSET_BITS) | offset;
    if (positions[slot] == EMPTY) {
      positions[slot] = position;
      hashes[slot] = hash;
      used++;
      if (used > positions.length / 4 * 3) {
        grow();
      }
    } else if (record(positions[slot]).sequence() <= record.sequence()) {
      positions[slot] = position;
    }
  }

  /** Takes a deletion into account; all records come before. */
  void delete(MemorySegment key, long sequence) {
    int slot = slot(hash(key), key);
    if (positions[slot] >= 0 && record(positions[slot]).sequence() < sequence) {
      positions[slot] = DELETED;
    }
  }

  /** Whether a record is the newest of its key, and not deleted. */
  boolean isLive(int file, long offset, MemorySegment key) {
    long position = ((long) file << OFFSET_BITS) | offset;
    int hash = hash(key);
    for (int slot = first(hash); positions[slot] != EMPTY; slot = next(slot)) {
      if (positions[slot] == position) {
        return true;
      }
    }
    return false;
  }

  /** The slot of a key, or an empty one where it would be. */
  private int slot(int hash, MemorySegment key) {
    int slot = first(hash);
    while (positions[slot] != EMPTY
        && !(positions[slot] >= 0 && hashes[slot] == hash && isOf(positions[slot], key))) {
      slot = next(slot);
    }
    return slot;
  }

  private boolean isOf(long position, MemorySegment key) {
    return file(position).key(record(position)).mismatch(key) < 0;
  }

  private RecordFile file(long position) {
    return files[(int) (position >>> OFFSET_BITS)];
  }

  private RecordFile.Found record(long position) {
    RecordFile.Found found = file(position).at(position & OFFSET);
    if (found == null) {
      throw new IllegalStateException("there was a record at " + position);
    }
    return found;
  }

  private int first(int hash) {
    return hash & (positions.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (positions.length - 1);
  }

  private void grow() {
    if (positions.length == MOST) {
      throw new FullException(
          "there are more than "
              + MOST / 4 * 3
              + " keys, too many for an index on the heap: read the store with HaloDB");
    }
    long[] oldPositions = positions;
    int[] oldHashes = hashes;
    positions = filled(oldPositions.length * 2);
    hashes = new int[positions.length];
    for (int i = 0; i < oldPositions.length; i++) {
      if (oldPositions[i] != EMPTY) { // nothing is deleted before all is added
        int slot = first(oldHashes[i]);
        while (positions[slot] != EMPTY) {
          slot = next(slot);
        }
        positions[slot] = oldPositions[i];
        hashes[slot] = oldHashes[i];
      }
    }
  }

  /** Lets every bit of the key reach the lowest ones, which choose the slot. */
  static int hash(MemorySegment key) {
    long hash = key.byteSize();
    long at = 0;
    for (; at + Long.BYTES <= key.byteSize(); at += Long.BYTES) {
      hash = mixed(hash ^ key.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
    }
    for (; at < key.byteSize(); at++) {
      hash = mixed(hash ^ key.get(ValueLayout.JAVA_BYTE, at));
    }
    return (int) hash;
  }

  private static long mixed(long bits) {
    long high = Math.multiplyHigh(bits, MULTIPLIER);
    return bits * MULTIPLIER ^ high;
  }
}
