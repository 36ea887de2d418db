package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cursor of a transaction that keeps to its range on its own. RocksDB before version 9, and forks
 * from that time, ignore the bounds when they scan a transaction's own writes. Also, with an upper
 * bound, a backward scan that begins at one of these writes above the bound ends there if nothing
 * committed is in the range. So RocksDB gets no upper bound for a backward scan, which begins with
 * a seek instead.
 */
final class BoundedCursor implements EngineCursor {
  private final Range<byte[]> range;
  private final EngineCursor cursor;
  private final byte @Nullable [] start; // upper bound of a backward scan
  private boolean started;

  /**
   * @param opener makes a RocksDB cursor for a range
   */
  BoundedCursor(Range<byte[]> range, Function<Range<byte[]>, EngineCursor> opener) {
    this.range = range;
    this.start = range.reversed() ? range.to() : null;
    this.cursor = opener.apply(start == null ? range : withoutUpperBound(range));
  }

  private static Range<byte[]> withoutUpperBound(Range<byte[]> range) {
    Range<byte[]> back = Range.<byte[]>all().limit(range.limit()).reverse();
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
