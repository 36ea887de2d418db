package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;

/**
 * What of a cursor's entries lies in its range: RocksDB before version 9, and its forks from that
 * time, look at a transaction's own writes without regard to the bounds.
 */
record BoundedCursor(Range range, EngineCursor cursor) implements EngineCursor {
  @Override
  public boolean next() {
    while (cursor.next()) {
      byte[] key = cursor.key();
      boolean above = range.aboveFrom(key);
      boolean below = range.belowTo(key);
      if (above && below) {
        return true;
      }
      if (range.reversed() ? !above : !below) {
        return false; // beyond the far end
      }
    }
    return false;
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public byte[] value() {
    return cursor.value();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
