package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.internal.Callee;
import java.util.ArrayList;
import java.util.List;

/** Removes ranges of entries where the engine has no operation for that. */
final class RangeDelete {
  private static final int CHUNK = 1_000;

  private RangeDelete() {}

  /** Returns a range with the bounds of this one, and nothing else. */
  static Range<byte[]> bounds(TableView<?> table, Range<byte[]> range) {
    if (range.limit() != Long.MAX_VALUE) {
      throw Callee.failed(
          table,
          new BadArgumentException(
              "%s: delete of a range takes no limit, but got %d: give the range an upper bound instead"
                  .formatted(table, range.limit())));
    }
    boolean whole = range.from() == null && range.to() == null;
    table.requireScan(!whole);
    return (range.reversed() ? range.reverse() : range).keysOnly();
  }

  /** Deletes, chunk by chunk, what is there when it gets there; returns how many entries. */
  static long inChunks(TableView<?> table, Range<byte[]> range) {
    boolean ordered = table.handle().store().capabilities().contains(Capability.ORDERED_SCAN);
    Range<byte[]> rest = range.limit(CHUNK);
    long count = 0;
    List<byte[]> keys = new ArrayList<>();
    do {
      keys.clear();
      try (var cursor = table.scan(rest)) {
        while (cursor.next()) {
          keys.add(cursor.key());
        }
      }
      table.deleteAll(keys);
      count += keys.size();
      if (ordered && !keys.isEmpty()) {
        rest = rest.from(keys.getLast(), false); // new ones behind it are not chased
      }
    } while (keys.size() == CHUNK);
    return count;
  }
}
