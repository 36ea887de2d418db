package io.kvstadium.engine.xodus;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.help.SeekCursor;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/** A scan of a table as a transaction sees it. */
final class XodusCursor extends SeekCursor<RuntimeException> {
  private final Cursor cursor;
  private final @Nullable Transaction own;

  /**
   * @param own ended with the cursor; {@code null} if {@code txn} belongs to somebody else
   */
  XodusCursor(XodusTable table, Range<byte[]> range, Transaction txn, @Nullable Transaction own) {
    super(range);
    this.cursor = table.store().openCursor(txn);
    this.own = own;
  }

  /** A scan in a transaction of its own. */
  static XodusCursor alone(XodusTable table, Range<byte[]> range, Transaction txn) {
    try {
      return new XodusCursor(table, range, txn, txn);
    } catch (RuntimeException | Error e) {
      txn.abort();
      throw e;
    }
  }

  /** A cursor that was not moved yet is before the first entry. */
  @Override
  protected boolean first() {
    return cursor.getNext();
  }

  @Override
  protected boolean last() {
    return cursor.getLast();
  }

  @Override
  protected boolean ceiling(byte[] key) {
    return cursor.getSearchKeyRange(new ArrayByteIterable(key)) != null;
  }

  @Override
  protected boolean following() {
    return cursor.getNext();
  }

  @Override
  protected boolean previous() {
    return cursor.getPrev();
  }

  @Override
  protected byte[] readKey() {
    return XodusAccess.bytes(cursor.getKey());
  }

  @Override
  public byte[] value() {
    return XodusAccess.bytes(cursor.getValue());
  }

  @Override
  public void close() {
    cursor.close();
    if (own != null) {
      own.abort();
    }
  }
}
