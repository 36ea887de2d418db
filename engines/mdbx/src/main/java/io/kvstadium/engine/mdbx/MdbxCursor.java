package io.kvstadium.engine.mdbx;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.help.SeekCursor;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A walk over a table within one read transaction. */
final class MdbxCursor extends SeekCursor<RuntimeException> {
  private static final int FIRST = 0;
  private static final int LAST = 6;
  private static final int NEXT = 8;
  private static final int PREVIOUS = 12;
  private static final int SET_RANGE = 17;

  private final MemorySegment cursor;
  private final Transaction entry;
  private final Lock lock;
  private final Runnable onClose;

  /**
   * @param entry where the present one is, of this cursor alone
   * @param lock of the transaction, which others may use
   */
  MdbxCursor(
      MemorySegment cursor, Transaction entry, Range<byte[]> range, Lock lock, Runnable onClose) {
    super(range, false, lock);
    this.cursor = cursor;
    this.entry = entry;
    this.lock = lock;
    this.onClose = onClose;
  }

  @Override
  protected boolean first() {
    return entry.move(cursor, FIRST);
  }

  @Override
  protected boolean last() {
    return entry.move(cursor, LAST);
  }

  @Override
  protected boolean ceiling(byte[] bound) {
    entry.hold(bound);
    return entry.move(cursor, SET_RANGE);
  }

  @Override
  protected boolean following() {
    return entry.move(cursor, NEXT);
  }

  @Override
  protected boolean previous() {
    return entry.move(cursor, PREVIOUS);
  }

  @Override
  protected byte[] readKey() {
    return entry.copyKey();
  }

  @Override
  public byte[] value() {
    return entry.copyValue();
  }

  /** In place: a transaction's pages stay as they are. */
  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return entry.lendValue(reader);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      Mdbx.check(Mdbx.CLOSE_CURSOR.call(cursor), "close cursor");
    } finally {
      lock.unlock();
      onClose.run();
    }
  }
}
