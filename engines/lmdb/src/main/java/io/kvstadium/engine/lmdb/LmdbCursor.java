package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.spi.EngineCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.GetOp;
import org.lmdbjava.SeekOp;

/** A walk over a table within one transaction, read or write. */
final class LmdbCursor implements EngineCursor {
  private final Cursor<Slice> cursor;
  private final Range range;
  private final KeyBuffer buffer;
  private final Failures failures;
  private final @Nullable Lock lock; // of a transaction that several threads use
  private final @Nullable Arena arena; // to lend values; null: pages may change under the cursor
  private final Runnable onClose;
  private boolean started;
  private boolean closed;
  private byte @Nullable [] key; // the present one, until it is handed out
  private byte @Nullable [] value; // the present one, if pages may change

  /**
   * @param arena what lent values end with, or null in a write transaction: its pages move when it
   *     writes on, so keys and values are then copied at each step
   */
  LmdbCursor(
      Cursor<Slice> cursor,
      Range range,
      KeyBuffer buffer,
      Failures failures,
      @Nullable Lock lock,
      @Nullable Arena arena,
      Runnable onClose) {
    this.cursor = cursor;
    this.range = range;
    this.buffer = buffer;
    this.failures = failures;
    this.lock = lock;
    this.arena = arena;
    this.onClose = onClose;
  }

  @Override
  public boolean next() {
    if (lock == null) {
      return stepOn();
    }
    lock.lock();
    try {
      return stepOn();
    } finally {
      lock.unlock();
    }
  }

  private boolean stepOn() {
    try {
      boolean found = started ? step() : first();
      started = true;
      return found && arrive();
    } catch (RuntimeException e) {
      throw failures.of(e);
    }
  }

  @Override
  public boolean canSeek() {
    return true;
  }

  @Override
  public boolean seek(byte[] target) {
    if (target.length == 0) { // LMDB has no empty key, and cannot search for it
      return move(() -> !range.reversed() && cursor.first());
    }
    return move(() -> range.reversed() ? before(target, true) : after(target, true));
  }

  private boolean move(BooleanSupplier movement) {
    if (lock != null) {
      lock.lock();
    }
    try {
      boolean found = movement.getAsBoolean();
      started = true;
      return found && arrive();
    } catch (RuntimeException e) {
      throw failures.of(e);
    } finally {
      if (lock != null) {
        lock.unlock();
      }
    }
  }

  @Override
  public byte[] key() {
    byte[] present = key;
    if (present == null || arena == null) {
      return present == null ? cursor.key().toArray() : present.clone();
    }
    key = null;
    return present;
  }

  @Override
  public byte[] value() {
    return value == null ? cursor.val().toArray() : value.clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(
        arena == null ? MemorySegment.ofArray(value()).asReadOnly() : cursor.val().lend(arena));
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
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

  private boolean step() {
    byte[] last = arena == null ? key : null;
    if (last == null) {
      return cursor.seek(range.reversed() ? SeekOp.MDB_PREV : SeekOp.MDB_NEXT);
    }
    // The transaction may have changed the table since, and LMDB then loses the cursor's place.
    return range.reversed() ? before(last, false) : after(last, false);
  }

  private boolean first() {
    return range.reversed() ? last() : lowest();
  }

  private boolean lowest() {
    byte[] from = range.from();
    if (from == null || from.length == 0) { // LMDB has no empty key, and cannot search for it
      return cursor.first();
    }
    return after(from, range.fromInclusive());
  }

  private boolean after(byte[] bound, boolean inclusive) {
    if (!cursor.get(buffer.hold(bound), GetOp.MDB_SET_RANGE)) {
      return false;
    }
    return inclusive || cursor.key().compareTo(bound) != 0 || cursor.next();
  }

  private boolean last() {
    byte[] to = range.to();
    if (to == null) {
      return cursor.last();
    }
    if (to.length == 0) {
      return false;
    }
    return before(to, range.toInclusive());
  }

  private boolean before(byte[] bound, boolean inclusive) {
    if (!cursor.get(buffer.hold(bound), GetOp.MDB_SET_RANGE)) {
      return cursor.last();
    }
    return (inclusive && cursor.key().compareTo(bound) == 0) || cursor.prev();
  }

  /** Copies what must be copied; false beyond the bound that it walks towards. */
  private boolean arrive() {
    byte[] far = range.reversed() ? range.from() : range.to();
    key = null;
    if (far != null || arena == null) {
      byte[] present = cursor.key().toArray();
      if (range.reversed() ? !range.aboveFrom(present) : !range.belowTo(present)) {
        return false;
      }
      key = present;
    }
    if (arena == null && !range.withoutValues()) {
      value = cursor.val().toArray();
    }
    return true;
  }
}
