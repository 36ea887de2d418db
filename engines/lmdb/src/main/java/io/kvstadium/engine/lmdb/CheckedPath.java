package io.kvstadium.engine.lmdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A way down a table's tree, which moves as a cursor of LMDB does and looks through each page
 * before LMDB comes to it. Each movement throws {@link io.kvstadium.store.CorruptException} where
 * it would come to a damaged page. For one thread.
 */
final class CheckedPath {
  private static final int DEPTH = 6;
  private static final int ROOT = 40;
  private static final int MAX_DEPTH = 32; // CURSOR_STACK of LMDB
  private static final long NONE = -1;

  private final CheckedPages pages;
  private final CheckedPage[] way; // empty for a table without entries
  private final int[] indexes;

  /**
   * @param place of the table's record in {@code around}
   */
  CheckedPath(CheckedPages pages, MemorySegment around, long place) {
    this.pages = pages;
    int depth = Short.toUnsignedInt(around.get(ValueLayout.JAVA_SHORT_UNALIGNED, place + DEPTH));
    long root = around.get(CheckedPage.LONG, place + ROOT);
    if (depth > MAX_DEPTH) {
      throw pages.damaged(root, "its tree has " + depth + " levels", KeyRange.ALL);
    }
    this.way = new CheckedPage[root == NONE ? 0 : depth];
    this.indexes = new int[way.length];
    if (way.length > 0) {
      way[0] = pages.page(root, KeyRange.ALL).check(depth == 1);
    }
  }

  /** The tree of a table that is named in this one; null if there is none. */
  @Nullable CheckedPath table(byte[] name) {
    ceiling(name);
    if (way.length == 0 || index() == leaf().count()) {
      return null;
    }
    MemorySegment record = leaf().table(index());
    return record == null || !Arrays.equals(leaf().key(index()), name)
        ? null
        : new CheckedPath(pages, record, 0);
  }

  /** Looks through every page; returns how many entries there are. */
  long checkAll() {
    long entries = 0;
    first();
    while (way.length > 0) {
      entries += leaf().count();
      if (!sideways(1)) {
        break;
      }
    }
    return entries;
  }

  void first() {
    down(0, null, 1);
  }

  void last() {
    down(0, null, -1);
  }

  /** To the first entry that is not below the key. */
  void ceiling(byte[] key) {
    down(0, key, 1);
    if (way.length > 0 && index() == leaf().count()) {
      sideways(1);
    }
  }

  void next() {
    if (way.length > 0 && ++indexes[way.length - 1] >= leaf().count()) {
      sideways(1);
    }
  }

  void previous() {
    if (way.length > 0 && --indexes[way.length - 1] < 0) {
      sideways(-1);
    }
  }

  /** From a level's page down to the leaf: to a key, or to the first or last entry. */
  private void down(int from, byte @Nullable [] key, int direction) {
    for (int level = from; level < way.length; level++) {
      boolean leaf = level == way.length - 1;
      if (level > 0) {
        way[level] = way[level - 1].below(indexes[level - 1], leaf);
      }
      CheckedPage page = way[level];
      indexes[level] =
          key == null
              ? direction > 0 ? 0 : page.count() - 1
              : leaf ? page.ceiling(key) : page.child(key);
    }
  }

  /** To the leaf beside this one; false, and where it was, if there is none. */
  private boolean sideways(int direction) {
    for (int level = way.length - 2; level >= 0; level--) {
      int beside = indexes[level] + direction;
      if (beside >= 0 && beside < way[level].count()) {
        indexes[level] = beside;
        down(level + 1, null, direction);
        return true;
      }
    }
    return false;
  }

  private CheckedPage leaf() {
    return way[way.length - 1];
  }

  private int index() {
    return indexes[way.length - 1];
  }
}
