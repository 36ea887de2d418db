package io.kvstadium.engine.xodus;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.help.Interrupts;
import io.kvstadium.store.engine.help.OwnThread;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.env.Transaction;
import org.jspecify.annotations.Nullable;

/** The one writer of its moment, so that no other commit can come in between. */
final class XodusTransaction extends XodusAccess implements EngineTransaction<XodusTable> {
  private final Transaction txn;
  private final Lock turn;
  private final @Nullable OwnThread syncs;

  /**
   * @param turn held by the calling thread, and released by {@link #close}
   * @param syncs commits, or null if commits are not synced
   */
  XodusTransaction(Transaction txn, Lock turn, @Nullable OwnThread syncs) {
    this.txn = txn;
    this.turn = turn;
    this.syncs = syncs;
  }

  @Override
  <R extends @Nullable Object> R read(Function<Transaction, R> read) {
    return read.apply(txn);
  }

  @Override
  public EngineCursor cursor(XodusTable table, Range<byte[]> range) {
    return new XodusCursor(table, range, txn, null);
  }

  /** Xodus keeps the arrays until the commit, and the caller may change them. */
  @Override
  public void put(XodusTable table, byte[] key, byte[] value) {
    putAsIs(table, key.clone(), value.clone());
  }

  /** Puts arrays that nobody changes before the commit. */
  void putAsIs(XodusTable table, byte[] key, byte[] value) {
    table.store().put(txn, new ArrayByteIterable(key), new ArrayByteIterable(value));
  }

  @Override
  public void delete(XodusTable table, byte[] key) {
    table.store().delete(txn, new ArrayByteIterable(key));
  }

  @Override
  public void commit() {
    if (!(syncs == null ? Interrupts.deferred(txn::flush) : syncs.call(txn::flush))) {
      throw new IllegalStateException("somebody else committed in this transaction's turn");
    }
  }

  @Override
  public void close() {
    try {
      txn.abort();
    } finally {
      turn.unlock();
    }
  }
}
