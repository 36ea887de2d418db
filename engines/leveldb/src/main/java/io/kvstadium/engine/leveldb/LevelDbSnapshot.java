package io.kvstadium.engine.leveldb;

import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.help.NamedTable;
import java.lang.foreign.MemorySegment;

/** A view at one sequence number. */
final class LevelDbSnapshot extends LevelDbReader implements EngineSnapshot<NamedTable> {
  private final MemorySegment snapshot;

  private LevelDbSnapshot(MemorySegment db, MemorySegment reads, MemorySegment snapshot) {
    super(db, reads);
    this.snapshot = snapshot;
  }

  /**
   * @param reads options for reading, which it ends
   */
  static LevelDbSnapshot of(MemorySegment db, MemorySegment reads) {
    MemorySegment snapshot = LevelDb.NEW_SNAPSHOT.call(db);
    LevelDbOptions.READ_SNAPSHOT.call(reads, snapshot);
    return new LevelDbSnapshot(db, reads, snapshot);
  }

  @Override
  public void close() {
    LevelDbOptions.END_READS.call(reads);
    LevelDb.END_SNAPSHOT.call(db, snapshot);
  }
}
