package io.kvstadium.server.database;

import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Elements of one collection that were read ahead, for requests of one commit group each of which
 * goes on where the one before has ended: to begin a walk takes as long as to step over dozens of
 * entries. Only in a group that writes: nobody else does meanwhile. Belongs to its thread.
 */
final class ReadAhead {
  /** The most entries, and about the most bytes, that are read for others than the one who asks. */
  private static final int MAX = 64;

  private static final int MAX_BYTES = 64 << 10;

  private static final byte[] NOTHING = {};

  private final List<Entry<byte[], byte[]>> entries = new ArrayList<>();

  /** All entries from this key up to the last of them are here. */
  private byte[] from = NOTHING;

  /** How many are read the next time, if that goes on. */
  private int next = 1;

  /** The first entries of a range, up to a number of them. */
  List<Entry<byte[], byte[]>> first(ReadView table, Range<byte[]> range, long max) {
    byte[] start = Objects.requireNonNull(range.from());
    int known = covers(start) ? index(start) : entries.size();
    if (entries.size() - known < max) {
      boolean goesOn = goesOn(start);
      next = goesOn ? Math.min(MAX, 4 * next) : 1;
      read(table, range, max, Math.max(max, next));
      known = 0;
    }
    int end = (int) Math.min(entries.size(), known + max);
    return List.copyOf(entries.subList(known, end));
  }

  private boolean covers(byte[] key) {
    return !entries.isEmpty()
        && Arrays.compareUnsigned(from, key) <= 0
        && Arrays.compareUnsigned(key, entries.getLast().key()) <= 0;
  }

  private int index(byte[] key) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(entries.get(middle).key(), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether a walk begins among the entries, or where the last of them ended. */
  private boolean goesOn(byte[] start) {
    if (entries.isEmpty()) {
      return false;
    }
    byte[] after = entries.getLast().key().clone();
    int i = after.length - 1;
    while (++after[i] == 0 && i > 0) { // a name that is a number
      i--;
    }
    return covers(start) || Arrays.equals(after, start);
  }

  private void read(ReadView table, Range<byte[]> range, long asked, long count) {
    entries.clear();
    from = Objects.requireNonNull(range.from());
    long bytes = 0;
    try (Walk walk = table.scan(range.limit(count))) {
      while ((entries.size() < asked || bytes < MAX_BYTES) && walk.next()) {
        entries.add(new Entry<>(walk.key(), walk.value()));
        bytes += walk.value().length;
      }
    }
  }

  /** An element is written or removed. */
  void changed(byte[] key) {
    if (covers(key)) {
      forget();
    }
  }

  /** What was read may not be there, or something else may. */
  void forget() {
    entries.clear();
  }
}
