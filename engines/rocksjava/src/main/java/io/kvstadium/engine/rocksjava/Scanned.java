package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;

/** A cursor of an optimistic transaction that knows, once it is closed, what it has passed. */
final class Scanned implements EngineCursor {
  private final RocksDbTable table;
  private final Range range;
  private final EngineCursor cursor;
  private boolean onEntry;

  /** What was read, from where the scan began; {@code null} while that is nothing. */
  private @Nullable Range passed;

  Scanned(RocksDbTable table, Range range, EngineCursor cursor) {
    this.table = table;
    this.range = range;
    this.cursor = cursor;
  }

  /** Whether the latest state has the same entries there as the snapshot. Call it once closed. */
  boolean isUnchanged(RocksDB db, Snapshot snapshot) throws Exception {
    if (passed == null) {
      return true;
    }
    try (EngineCursor then = open(db, passed, snapshot);
        EngineCursor now = open(db, passed, null)) {
      while (then.next()) {
        if (!now.next()
            || !Arrays.equals(then.key(), now.key())
            || !Arrays.equals(then.value(), now.value())) {
          return false;
        }
      }
      return !now.next();
    }
  }

  private EngineCursor open(RocksDB db, Range part, @Nullable Snapshot snapshot) {
    return new RocksDbCursor(
        part, snapshot, null, options -> db.newIterator(table.family(), options));
  }

  @Override
  public boolean next() throws Exception {
    onEntry = cursor.next();
    if (!onEntry) {
      passed = range;
    }
    return onEntry;
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
    if (onEntry) {
      passed = range.reversed() ? range.from(cursor.key(), true) : range.to(cursor.key(), true);
    }
    cursor.close();
  }
}
