package io.kvstadium.server.execute;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was read by key, as hashes of the keys with their stamps of {@link HotEntries} from before:
 * whether it is of one moment, though there was no snapshot. Belongs to the thread of its group.
 */
final class PointReads {
  /** Never that of a key at rest. */
  private static final int NO_STAMP = 1;

  private int[] hashes = new int[4];
  private int[] stamps = new int[4];
  private int count;
  private boolean wanted;

  /** From now on, what is read counts. */
  void begin() {
    wanted = true;
    count = 0;
  }

  /** A key is about to be read. */
  void add(int hash, int stamp) {
    if (!wanted) {
      return;
    }
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
      stamps = Arrays.copyOf(stamps, 2 * count);
    }
    hashes[count] = hash;
    stamps[count++] = stamp;
  }

  /** Entries that are not known by key are about to be read: more than one, of no known moment. */
  void addRange() {
    add(0, NO_STAMP);
    add(0, NO_STAMP);
  }

  /** How many were read since {@link #begin}. */
  int count() {
    return count;
  }

  /**
   * Whether all that was read since {@link #begin} is of one moment: nothing was written to it, nor
   * to what has the same stamp, since the first of it was read.
   *
   * @param hot has the stamps; {@code null} if nobody has
   * @param table its number there
   */
  boolean end(@Nullable HotEntries hot, int table) {
    wanted = false;
    if (hot == null) {
      return count == 0;
    }
    boolean agree = true;
    for (int i = 0; agree && i < count; i++) {
      int stamp = stamps[i];
      agree = HotEntries.isSettled(stamp) && stamp == hot.stamp(table, hashes[i]);
    }
    return agree;
  }
}
