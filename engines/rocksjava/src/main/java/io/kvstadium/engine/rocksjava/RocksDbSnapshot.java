package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.EngineSnapshot;
import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;

/** A view at one sequence number. */
final class RocksDbSnapshot extends RocksDbReader implements EngineSnapshot<RocksDbTable> {
  private final Snapshot snapshot;

  RocksDbSnapshot(RocksDB db, Snapshot snapshot) {
    super(db, snapshot);
    this.snapshot = snapshot;
  }

  @Override
  public void close() {
    reads.close();
    db.releaseSnapshot(snapshot);
    snapshot.close();
  }
}
