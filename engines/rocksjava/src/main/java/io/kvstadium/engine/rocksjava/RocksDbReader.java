package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/** Reads of the latest state or of a snapshot. */
class RocksDbReader implements EngineReader<RocksDbTable> {
  private static final byte[] NO_ROOM = {};

  /** The values that one call collects in native memory; the rest are read one by one. */
  private static final long MULTI_GET_BYTES = 16 << 20;

  final RocksDB db;
  final ReadOptions reads;
  private final @Nullable Snapshot snapshot;

  /** Reads of the snapshot, or of the latest state if it is null. */
  RocksDbReader(RocksDB db, @Nullable Snapshot snapshot) {
    this.db = db;
    this.snapshot = snapshot;
    this.reads = new ReadOptions().setValueSizeSoftLimit(MULTI_GET_BYTES);
    if (snapshot != null) {
      reads.setSnapshot(snapshot);
    }
  }

  @Override
  public byte @Nullable [] get(RocksDbTable table, byte[] key) throws RocksDBException {
    return db.get(table.family(), reads, key);
  }

  @Override
  public byte[] @Nullable [] multiGet(RocksDbTable table, byte[][] keys) throws RocksDBException {
    if (keys.length == 0) {
      return new byte[0] @Nullable [];
    }
    List<byte[]> values =
        db.multiGetAsList(
            reads, Collections.nCopies(keys.length, table.family()), Arrays.asList(keys));
    byte[] @Nullable [] found = values.toArray(new byte[0] @Nullable []);
    for (int i = 0; i < found.length; i++) {
      // Absent, beyond the bytes of one call, or an error: of the errors of single keys it reports
      // at most corruption. The form with a status for each key makes an object of each, which
      // costs more than this get.
      if (found[i] == null) {
        found[i] = get(table, keys[i]);
      }
    }
    return found;
  }

  @Override
  public boolean contains(RocksDbTable table, byte[] key) throws RocksDBException {
    return head(table, key, NO_ROOM) >= 0; // not keyExists, which takes errors for absence
  }

  @Override
  public int head(RocksDbTable table, byte[] key, byte[] into) throws RocksDBException {
    int length = db.get(table.family(), reads, key, into);
    if (length < RocksDB.NOT_FOUND) { // an error, which only the other form of get reports
      byte[] value = get(table, key);
      return value == null ? -1 : copied(value, into);
    }
    return length;
  }

  private static int copied(byte[] value, byte[] into) {
    System.arraycopy(value, 0, into, 0, Math.min(value.length, into.length));
    return value.length;
  }

  @Override
  public EngineCursor cursor(RocksDbTable table, Range<byte[]> range) {
    return new RocksDbCursor(
        range, snapshot, reads, options -> db.newIterator(table.family(), options));
  }
}
