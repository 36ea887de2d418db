package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.LockMode;
import com.sleepycat.je.Transaction;
import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineTransaction;

/**
 * A serializable transaction. It reads single entries with write locks, so that two that read and
 * then write the same entry take turns instead of running into a deadlock.
 */
final class JeTransaction extends JeAccess implements EngineTransaction<JeTable> {
  private final Transaction txn;
  private boolean committed;

  JeTransaction(JeCalls calls, Transaction txn) {
    super(calls, txn, LockMode.RMW);
    this.txn = txn;
  }

  @Override
  public EngineCursor cursor(JeTable table, Range range) {
    return calls.get(
        () -> new JeCursor(calls, table.database().openCursor(txn, null), range, null));
  }

  @Override
  public void commit() {
    calls.run(txn::commit);
    committed = true;
  }

  @Override
  public void close() {
    if (!committed) {
      calls.run(txn::abort);
    }
  }
}
