package io.kvstadium.engine.mdbx;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One read transaction, held open, in which one thread reads at a time. */
final class MdbxSnapshot implements EngineSnapshot<MdbxStore.Table> {
  private final Transaction txn;
  private final long id;
  private final ReentrantLock lock = new ReentrantLock();

  MdbxSnapshot(Transaction reader) {
    this.txn = reader;
    this.id = reader.id();
  }

  @Override
  public byte @Nullable [] get(MdbxStore.Table table, byte[] key) {
    lock.lock();
    try {
      return table.since() <= id && txn.find(table.number(), key) ? txn.copyValue() : null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public EngineCursor cursor(MdbxStore.Table table, Range<byte[]> range) {
    lock.lock();
    try {
      return table.since() > id
          ? EngineCursor.empty()
          : new MdbxCursor(
              txn.openCursor(table.number()), new Transaction(), range, lock, () -> {});
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    txn.close();
  }
}
