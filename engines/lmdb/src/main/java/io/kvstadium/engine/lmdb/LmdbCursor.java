package io.kvstadium.engine.lmdb;

import io.kvstadium.store.EntryReader;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.help.SeekCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;

/** A walk over a table within one transaction, read or write. */
final class LmdbCursor extends SeekCursor<RuntimeException> {
  private final Cursor<Slice> cursor;
  private final KeyBuffer buffer;
  private final @Nullable Lock lock; // of a transaction that several threads use
  private final @Nullable Arena
      arena; // of zero-copy reads; null: pages may change under the cursor
  private final @Nullable CheckedPath path; // ahead of LMDB, if that must not trust the file
  private final Runnable onClose;
  private byte @Nullable [] value; // the present one, if pages may change

  /**
   * @param arena ends zero-copy reads, or null in a write transaction: its pages move with further
   *     writes, so keys and values are then copied at each step
   * @param path the table's, if LMDB must not trust the file
   */
  LmdbCursor(
      Cursor<Slice> cursor,
      Range<byte[]> range,
      KeyBuffer buffer,
      @Nullable Lock lock,
      @Nullable Arena arena,
      @Nullable CheckedPath path,
      Runnable onClose) {
    super(range, arena == null, lock);
    this.cursor = cursor;
    this.buffer = buffer;
    this.lock = lock;
    this.arena = arena;
    this.path = path;
    this.onClose = onClose;
  }

  @Override
  protected void arrive() {
    if (arena == null && withValues()) {
      value = cursor.val().toArray();
    }
  }

  @Override
  protected boolean first() {
    if (path != null) {
      path.first();
    }
    return cursor.first();
  }

  @Override
  protected boolean last() {
    if (path != null) {
      path.last();
    }
    return cursor.last();
  }

  /** LMDB has no empty key, and cannot search for it. */
  @Override
  protected boolean ceiling(byte[] bound) {
    if (bound.length == 0) {
      return first();
    }
    if (path != null) {
      path.ceiling(bound);
    }
    return cursor.get(buffer.hold(bound), GetOp.MDB_SET_RANGE);
  }

  @Override
  protected boolean following() {
    if (path != null) {
      path.next();
    }
    return cursor.next();
  }

  @Override
  protected boolean previous() {
    if (path != null) {
      path.previous();
    }
    return cursor.prev();
  }

  /** The transaction may have changed the table since, and LMDB then loses the cursor's place. */
  @Override
  protected boolean isLost() {
    return arena == null;
  }

  @Override
  protected byte[] readKey() {
    return cursor.key().toArray();
  }

  @Override
  public byte[] value() {
    byte[] present = value;
    return present == null ? cursor.val().toArray() : present.clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(
        arena == null ? MemorySegment.ofArray(value()).asReadOnly() : cursor.val().segment(arena));
  }

  @Override
  public boolean read(EntryReader reader, boolean withValue) throws RuntimeException {
    return arena == null
        ? reader.read(
            MemorySegment.ofArray(key()).asReadOnly(),
            withValue ? MemorySegment.ofArray(value()).asReadOnly() : MemorySegment.NULL)
        : reader.read(
            cursor.key().segment(arena),
            withValue ? cursor.val().segment(arena) : MemorySegment.NULL);
  }

  @Override
  public void close() {
    if (lock != null) {
      lock.lock();
    }
    try {
      cursor.close();
    } finally {
      if (lock != null) {
        lock.unlock();
      }
      onClose.run();
    }
  }
}
