package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What of a transaction's entries lies in its range. RocksDB before version 9, and its forks from
 * that time, look at a transaction's own writes without regard to the bounds; and with an upper
 * bound a walk back that begins at an own write above it ends there, if nothing committed lies in
 * the range. So a walk back has no upper bound for RocksDB, and begins by a search.
 */
final class BoundedCursor implements EngineCursor {
  private final Range range;
  private final EngineCursor cursor;
  private final byte @Nullable [] start; // of a walk back that is bounded there
  private boolean started;

  /**
   * @param opener makes a cursor of RocksDB's for a range
   */
  BoundedCursor(Range range, Function<Range, EngineCursor> opener) {
    this.range = range;
    this.start = range.reversed() ? range.to() : null;
    this.cursor = opener.apply(start == null ? range : withoutUpperBound(range));
  }

  private static Range withoutUpperBound(Range range) {
    Range back = Range.all().limit(range.limit()).reverse();
    byte[] from = range.from();
    return from == null ? back : back.from(from, range.fromInclusive());
  }

  @Override
  public boolean next() throws Exception {
    boolean found = (started || start == null) ? cursor.next() : cursor.seek(start);
    started = true;
    while (found) {
      byte[] key = cursor.key();
      boolean above = range.aboveFrom(key);
      boolean below = range.belowTo(key);
      if (above && below) {
        return true;
      }
      if (range.reversed() ? !above : !below) {
        return false; // beyond the far end
      }
      found = cursor.next();
    }
    return false;
  }

  @Override
  public byte[] key() throws Exception {
    return cursor.key();
  }

  @Override
  public byte[] value() throws Exception {
    return cursor.value();
  }

  @Override
  public void close() throws Exception {
    cursor.close();
  }
}
