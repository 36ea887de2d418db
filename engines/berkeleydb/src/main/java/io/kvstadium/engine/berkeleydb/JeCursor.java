package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.Get;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.txn.BasicLocker;
import com.sleepycat.je.txn.Locker;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.spi.EngineCursor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A walk within a transaction, or by itself: then it sees what is committed, and keeps no lock
 * between its steps.
 *
 * <p>By itself it uses JE's locker for reads without a transaction. JE's interface offers that for
 * one thread only, with a lock that stays on the entry where the cursor stands and keeps out all
 * writers, the cursor's own thread among them; to be rid of it there, each step would need a
 * duplicate of the cursor, and each scan a transaction.
 */
final class JeCursor implements EngineCursor {
  /**
   * The place before a step is not kept for the case that it fails, which would be a clone each.
   */
  private static final CursorConfig MOVING = new CursorConfig().setNonSticky(true);

  private final JeCalls calls;
  private final Cursor cursor;
  private final @Nullable Locker own;
  private final DatabaseEntry key = new DatabaseEntry();
  private final DatabaseEntry value;
  private Range range;
  private boolean started;

  private JeCursor(JeCalls calls, Cursor cursor, Range range, @Nullable Locker own) {
    this.calls = calls;
    this.cursor = cursor;
    this.range = range;
    this.own = own;
    this.value = range.withoutValues() ? withoutData() : new DatabaseEntry();
  }

  static JeCursor within(Transaction txn, JeCalls calls, Database database, Range range) {
    return new JeCursor(calls, database.openCursor(txn, MOVING), range, null);
  }

  static JeCursor alone(Environment environment, JeCalls calls, Database database, Range range) {
    Locker own = BasicLocker.createBasicLocker(DbInternal.getNonNullEnvImpl(environment));
    return new JeCursor(calls, DbInternal.makeCursor(database, own, MOVING), range, own);
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
      byte[] last = key.getData();
      boolean moved = false;
      try {
        boolean found = started ? step() : first();
        started = true;
        while (found && !(range.reversed() ? range.belowTo(key()) : range.aboveFrom(key()))) {
          found = step();
        }
        moved = true;
        return found && (range.reversed() ? range.aboveFrom(key()) : range.belowTo(key()));
      } finally {
        if (!moved) {
          goOnBehind(last);
        }
        if (own != null) {
          own.releaseNonTxnLocks();
        }
      }
    });
  }

  /** A step that fails loses the place; the next one finds it again. */
  private void goOnBehind(byte @Nullable [] last) {
    if (started && last != null) {
      range = range.reversed() ? range.to(last, false) : range.from(last, false);
    }
    started = false;
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
    }
  }
}
