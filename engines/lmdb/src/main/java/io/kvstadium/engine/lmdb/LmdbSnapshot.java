package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One read transaction, held open. LMDB allows one thread at a time in it, hence the lock;
 * zero-copy values are read outside the lock, because what a transaction sees stays where it is
 * while it lasts. As long as nothing was written since, up to a few scans get separate
 * transactions, so that several threads can scan at once.
 */
final class LmdbSnapshot implements EngineSnapshot<LmdbTable> {
  private static final int MOST_OF_THEIR_OWN = 8;

  private final Environment environment;
  private final LmdbTables tables;
  private final Reader reader;
  private final long id;
  private final int mostOfTheirOwn;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger ofTheirOwn = new AtomicInteger();

  LmdbSnapshot(Environment environment, LmdbTables tables) {
    this.environment = environment;
    this.tables = tables;
    this.reader = environment.begin();
    this.id = reader.txn().getId();
    this.mostOfTheirOwn = Math.min(MOST_OF_THEIR_OWN, environment.mostReaders() / 4);
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
    if (isYounger(table)) {
      return EngineCursor.empty();
    }
    if (ofTheirOwn.incrementAndGet() <= mostOfTheirOwn) {
      Reader own = environment.beginIfAt(id);
      if (own != null) {
        return cursor(own, null, table, range, () -> giveBack(own));
      }
    }
    ofTheirOwn.decrementAndGet();
    lock.lock();
    try {
      return cursor(reader, lock, table, range, () -> {});
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Reader own) {
    own.close();
    ofTheirOwn.decrementAndGet();
  }

  private EngineCursor cursor(
      Reader of, @Nullable Lock shared, LmdbTable table, Range<byte[]> range, Runnable onClose) {
    boolean made = false;
    try {
      if (table.shared() && !tables.isThere(of, table)) {
        return EngineCursor.empty();
      }
      EngineCursor cursor =
          new LmdbCursor(
              table.dbi().openCursor(of.txn()),
              range,
              table.isUnnamed(),
              of.key(),
              shared,
              environment.arena(),
              onClose);
      made = true;
      return cursor;
    } finally {
      if (!made) {
        onClose.run();
      }
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
