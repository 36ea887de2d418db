package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.Get;
import com.sleepycat.je.LockConflictException;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.txn.BasicLocker;
import com.sleepycat.je.txn.Locker;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.help.SeekCursor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A scan in a transaction, or on its own. On its own it sees what is committed, and keeps no lock
 * between its steps.
 *
 * <p>In that case it uses JE's locker for reads without a transaction. JE's interface offers that
 * for one thread only, with a lock that stays on the cursor's entry and keeps out all writers,
 * including the cursor's own thread. To be rid of that lock, each step would need a duplicate of
 * the cursor, and each scan a transaction.
 */
final class JeCursor extends SeekCursor<RuntimeException> {
  /** Does not keep the place before a step in case it fails; that would be a clone each time. */
  private static final CursorConfig MOVING = new CursorConfig().setNonSticky(true);

  private final JeCalls calls;
  private final Cursor cursor;
  private final @Nullable Locker own;
  private final DatabaseEntry key = new DatabaseEntry();
  private final DatabaseEntry value;
  private byte @Nullable [] last; // the key of the last place
  private boolean lost; // whether a failed movement lost that place

  private JeCursor(JeCalls calls, Cursor cursor, Range<byte[]> range, @Nullable Locker own) {
    super(range);
    this.calls = calls;
    this.cursor = cursor;
    this.own = own;
    this.value = withValues() ? new DatabaseEntry() : withoutData();
  }

  static JeCursor within(Transaction txn, JeCalls calls, Database database, Range<byte[]> range) {
    return new JeCursor(calls, database.openCursor(txn, MOVING), range, null);
  }

  static JeCursor alone(
      Environment environment, JeCalls calls, Database database, Range<byte[]> range) {
    Locker own = BasicLocker.createBasicLocker(DbInternal.getNonNullEnvImpl(environment));
    return new JeCursor(calls, DbInternal.makeCursor(database, own, MOVING), range, own);
  }

  /** Returns an entry that takes no data and spares JE reading it. */
  static DatabaseEntry withoutData() {
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    return none;
  }

  @Override
  public boolean next() {
    return moving(() -> super.next());
  }

  @Override
  public boolean seek(byte[] target) {
    return moving(() -> super.seek(target));
  }

  private boolean moving(BooleanSupplier movement) {
    return calls.get(() -> {
      boolean moved = false;
      try {
        boolean found = movement.getAsBoolean();
        last = key.getData();
        moved = true;
        return found;
      } finally {
        lost = !moved;
        if (own != null) {
          own.releaseNonTxnLocks();
        }
      }
    });
  }

  @Override
  protected boolean first() {
    return move(Get.FIRST);
  }

  @Override
  protected boolean last() {
    return move(Get.LAST);
  }

  @Override
  protected boolean ceiling(byte[] target) {
    key.setData(target);
    return move(Get.SEARCH_GTE);
  }

  /** Continues below what others have put above the target between the steps. */
  @Override
  protected boolean floor(byte[] target) {
    boolean found = super.floor(target);
    while (found && Arrays.compareUnsigned(key.getData(), target) > 0) {
      found = move(Get.PREV);
    }
    return found;
  }

  @Override
  protected boolean following() {
    byte[] from = last;
    if (!lost || from == null) {
      return move(Get.NEXT);
    }
    return ceiling(from) && (!Arrays.equals(key.getData(), from) || move(Get.NEXT));
  }

  @Override
  protected boolean previous() {
    byte[] from = last;
    if (!lost || from == null) {
      return move(Get.PREV);
    }
    return floor(from) && (!Arrays.equals(key.getData(), from) || move(Get.PREV));
  }

  private boolean move(Get where) {
    boolean found = step(where) || (own == null && again(where));
    lost = false;
    return found;
  }

  private boolean step(Get where) {
    return cursor.get(key, value, where, null) != null;
  }

  /**
   * At the end of a table JE locks what comes after it only once it has found nothing there. In
   * between, another transaction may have put something there and committed, so a transaction looks
   * again. Backwards, JE locks first.
   */
  private boolean again(Get where) {
    byte[] from = key.getData(); // as before the step, which found nothing
    return switch (where) {
      case FIRST, SEARCH_GTE -> step(where);
      case NEXT -> step(Get.SEARCH_GTE) && (!Arrays.equals(key.getData(), from) || step(Get.NEXT));
      default -> false;
    };
  }

  @Override
  protected byte[] readKey() {
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
    } catch (LockConflictException e) {
      // an earlier call lost and has reported it; a transaction's next call reports it again
    }
  }
}
