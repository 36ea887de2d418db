package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Transaction;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTransaction;
import java.io.IOException;
import java.util.concurrent.locks.Lock;

/**
 * A serializable transaction. It holds the turn until its commit. The commit may overlap with the
 * next transaction, so that both can share a sync: a commit waits for no lock.
 */
final class JeTransaction extends JeAccess implements EngineTransaction<JeTable> {
  private final Transaction txn;
  private final Lock turn;
  private final Afterwards afterwards;
  private boolean hasTurn = true;
  private boolean committed;

  /** A step that may fail. */
  interface Afterwards {
    void run() throws IOException;
  }

  /**
   * @param turn held by the calling thread, and released by this
   * @param afterwards what remains to be done after a commit
   */
  JeTransaction(JeCalls calls, Transaction txn, Lock turn, Afterwards afterwards) {
    super(calls, txn);
    this.txn = txn;
    this.turn = turn;
    this.afterwards = afterwards;
  }

  @Override
  public EngineCursor cursor(JeTable table, Range<byte[]> range) {
    return calls.get(() -> JeCursor.within(txn, calls, table.database(), range));
  }

  @Override
  public void commit() throws IOException {
    endTurn();
    calls.run(txn::commit);
    committed = true;
    afterwards.run();
  }

  @Override
  public void close() {
    try {
      if (!committed) {
        calls.run(txn::abort);
      }
    } finally {
      endTurn();
    }
  }

  private void endTurn() {
    if (hasTurn) {
      hasTurn = false;
      turn.unlock();
    }
  }
}
