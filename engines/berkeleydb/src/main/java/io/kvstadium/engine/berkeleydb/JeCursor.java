package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Get;
import com.sleepycat.je.Transaction;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.spi.EngineCursor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A walk within a transaction, or in a read-committed one of its own. */
final class JeCursor implements EngineCursor {
  private final JeCalls calls;
  private final Range range;
  private final @Nullable Transaction own;
  private final DatabaseEntry key = new DatabaseEntry();
  private final DatabaseEntry value;
  private Cursor cursor;
  private boolean started;

  /**
   * @param own the cursor's own transaction, which ends with it; then it keeps no lock between
   *     steps
   */
  JeCursor(JeCalls calls, Cursor cursor, Range range, @Nullable Transaction own) {
    this.calls = calls;
    this.cursor = cursor;
    this.range = range;
    this.own = own;
    this.value = range.withoutValues() ? withoutData() : new DatabaseEntry();
  }

  /** What takes no data, and spares JE reading it. */
  static DatabaseEntry withoutData() {
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    return none;
  }

  @Override
  public boolean next() {
    return calls.get(() -> {
      boolean found = started ? step() : first();
      started = true;
      while (found && !(range.reversed() ? range.belowTo(key()) : range.aboveFrom(key()))) {
        found = step();
      }
      if (own != null) {
        unlock();
      }
      return found && (range.reversed() ? range.aboveFrom(key()) : range.belowTo(key()));
    });
  }

  private boolean first() {
    byte[] start = range.reversed() ? range.to() : range.from();
    if (start != null) {
      key.setData(start);
      if (move(Get.SEARCH_GTE)) {
        return true;
      }
    }
    return range.reversed() ? move(Get.LAST) : start == null && move(Get.FIRST);
  }

  private boolean step() {
    return move(range.reversed() ? Get.PREV : Get.NEXT);
  }

  private boolean move(Get where) {
    return cursor.get(key, value, where, null) != null;
  }

  /** A duplicate stands on the same entry without its lock, which would keep out all writers. */
  private void unlock() {
    Cursor locking = cursor;
    cursor = locking.dup(true);
    locking.close();
  }

  @Override
  public byte[] key() {
    return key.getData().clone();
  }

  @Override
  public byte[] value() {
    return value.getData().clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(value.getData()).asReadOnly());
  }

  @Override
  public void close() {
    try {
      calls.run(cursor::close);
    } catch (ConflictException e) {
      // it lost before, in a call that has said so; a transaction's next call says so again
    } finally {
      if (own != null) {
        calls.run(own::abort); // it has only read
      }
    }
  }
}
