package io.kvstadium.engine.lmdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A page of a tree, which says nothing that leads out of it or of the file. */
final class CheckedPage {
  static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

  private static final int HEADER = 16;
  private static final int FLAGS = 10;
  private static final int LOWER = 12;
  private static final int UPPER = 14;
  private static final int PAGES = 12; // of a value that has pages of its own
  private static final int BRANCH = 1;
  private static final int LEAF = 2;
  private static final int OVERFLOW = 4;
  private static final int NODE = 8; // the header of an entry: its key begins behind it
  private static final int BIG = 1;
  private static final int TABLE = 2;
  private static final int TABLE_BYTES = 48;

  private final CheckedPages pages;
  private final MemorySegment bytes;
  private final long number;
  private final KeyRange range;

  CheckedPage(CheckedPages pages, MemorySegment bytes, long number, KeyRange range) {
    this.pages = pages;
    this.bytes = bytes;
    this.number = number;
    this.range = range;
  }

  /** Looks through all of it, and through the first page of each value that has its own. */
  CheckedPage check(boolean leaf) {
    int lower = at(LOWER);
    expect(bytes.get(LONG, 0) == number, "its number is another one");
    expect((at(FLAGS) & 0x6f) == (leaf ? LEAF : BRANCH), "it is of another kind");
    expect(
        lower > HEADER && lower % 2 == 0 && lower <= at(UPPER) && at(UPPER) <= bytes.byteSize(),
        "its entries lie outside of it");
    byte[] before = null;
    for (int i = 0; i < count(); i++) {
      int node = node(i);
      expect(
          node >= at(UPPER)
              && node + NODE <= bytes.byteSize()
              && node + NODE + at(node + 6) <= bytes.byteSize(),
          "its entries lie outside of it");
      if (leaf) {
        checkValue(node);
      }
      if (leaf || i > 0) {
        byte[] key = key(i);
        expect(
            before == null || Arrays.compareUnsigned(before, key) < 0, "its keys are out of order");
        before = key;
      }
    }
    return this;
  }

  private void checkValue(int node) {
    long length = Integer.toUnsignedLong(bytes.get(INT, node));
    int value = node + NODE + at(node + 6);
    if ((at(node + 4) & BIG) == 0) {
      expect(value + length <= bytes.byteSize(), "a value lies outside of it");
      return;
    }
    expect(value + Long.BYTES <= bytes.byteSize(), "a value lies outside of it");
    long first = bytes.get(LONG, value);
    CheckedPage own = pages.page(first, range);
    long needed = (HEADER + length + bytes.byteSize() - 1) / bytes.byteSize();
    if (own.bytes.get(LONG, 0) != first
        || (own.at(FLAGS) & OVERFLOW) == 0
        || Integer.toUnsignedLong(own.bytes.get(INT, PAGES)) < needed) {
      throw pages.damaged(first, "it is not the beginning of a value", range);
    }
    pages.page(first + needed - 1, range); // the last one is in the file
  }

  private void expect(boolean right, String why) {
    if (!right) {
      throw pages.damaged(number, why, range);
    }
  }

  int count() {
    return (at(LOWER) - HEADER) / 2;
  }

  byte[] key(int index) {
    int node = node(index);
    return bytes.asSlice(node + NODE, at(node + 6)).toArray(ValueLayout.JAVA_BYTE);
  }

  /** The index of the first key that is not below {@code key}: {@link #count} if there is none. */
  int ceiling(byte[] key) {
    int low = 0;
    int high = count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(key(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The index of the page below this one where {@code key} belongs; the first key is empty. */
  int child(byte[] key) {
    int low = 1;
    int high = count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(key(middle), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** The page below this one, looked through. */
  CheckedPage below(int index, boolean leaf) {
    int node = node(index);
    long child =
        Integer.toUnsignedLong(bytes.get(INT, node)) | ((long) at(node + 4)) << Integer.SIZE;
    KeyRange keys =
        new KeyRange(
            index == 0 ? range.from() : key(index),
            index + 1 == count() ? range.to() : key(index + 1));
    return pages.page(child, keys).check(leaf);
  }

  /** The record of a named table, null if the entry is something else. */
  @Nullable MemorySegment table(int index) {
    int node = node(index);
    return (at(node + 4) & TABLE) == 0 || bytes.get(INT, node) != TABLE_BYTES
        ? null
        : bytes.asSlice(node + NODE + at(node + 6), TABLE_BYTES);
  }

  private int node(int index) {
    return at(HEADER + 2 * index);
  }

  private int at(int offset) {
    return Short.toUnsignedInt(bytes.get(SHORT, offset));
  }
}
