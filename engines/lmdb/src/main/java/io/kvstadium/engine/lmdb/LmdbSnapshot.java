package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One read transaction, held open. LMDB allows one thread at a time in it, hence the lock;
 * zero-copy values are read outside the lock, because what a transaction sees stays where it is
 * while it lasts.
 */
final class LmdbSnapshot implements EngineSnapshot<LmdbTable> {
  private final Environment environment;
  private final Reader reader;
  private final long id;
  private final ReentrantLock lock = new ReentrantLock();

  LmdbSnapshot(Environment environment) {
    this.environment = environment;
    this.reader = environment.begin();
    this.id = reader.txn().getId();
  }

  @Override
  public byte @Nullable [] get(LmdbTable table, byte[] key) {
    lock.lock();
    try {
      Slice found = find(table, key);
      return found == null ? null : found.toArray();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <R> @Nullable R get(LmdbTable table, byte[] key, ValueReader<R> valueReader) {
    MemorySegment value;
    lock.lock();
    try {
      Slice found = find(table, key);
      if (found == null) {
        return null;
      }
      value = found.segment(environment.arena());
    } finally {
      lock.unlock();
    }
    return valueReader.read(value);
  }

  @Override
  public boolean contains(LmdbTable table, byte[] key) {
    lock.lock();
    try {
      return find(table, key) != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public EngineCursor cursor(LmdbTable table, Range<byte[]> range) {
    lock.lock();
    try {
      if (isYounger(table)) {
        return EngineCursor.empty();
      }
      return new LmdbCursor(
          table.dbi().openCursor(reader.txn()),
          range,
          reader.key(),
          lock,
          environment.arena(),
          reader.path(table),
          () -> {});
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    reader.close();
  }

  private @Nullable Slice find(LmdbTable table, byte[] key) {
    return isYounger(table) ? null : reader.find(table, key);
  }

  private boolean isYounger(LmdbTable table) {
    return table.since() > id;
  }
}
