package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.Handle;
import io.kvstadium.store.internal.guard.HandleAccess;
import io.kvstadium.store.record.CallRecorder.CallKind;
import io.kvstadium.store.record.CallRecorder.CallOutcome;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One attempt of a {@code transact} block. */
final class OpenTransaction<T extends EngineTable> implements Transaction {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  private final StoreCalls<T> store;
  private final EngineTransaction<T> transaction;
  private final HandleAccess access;
  private final Listening listening;
  private final Set<TableHandle<T>> held = new HashSet<>();
  private final Set<Handle> cursors = ConcurrentHashMap.newKeySet();
  private volatile boolean rolledBack;

  OpenTransaction(StoreCalls<T> store, EngineTransaction<T> transaction) {
    this.store = store;
    this.listening = store.listening();
    this.transaction = transaction;
    this.access = new HandleAccess(store.access(), "the transaction", false);
  }

  @Override
  public <K, V> Table<K, V> on(Table<K, V> table) {
    CodecTable<K, V> typed;
    TableView<T> view;
    try {
      typed = store.checkedTable(table);
      view = store.view(typed);
    } catch (BadArgumentException e) {
      access.callFailed(e);
      throw e;
    }
    Gate.Pass pass = access.enter();
    try {
      hold(view.handle());
    } finally {
      access.exit(pass);
    }
    return typed.by(
        new TableView<>(view.handle(), access, transaction, transaction, cursors, this));
  }

  /** None of the tables that it uses is dropped before it ends. */
  private void hold(TableHandle<T> table) {
    synchronized (held) {
      if (!held.contains(table)) {
        table.hold();
        held.add(table);
      }
    }
  }

  @Override
  public void rollback() {
    Gate.Pass pass = access.enter();
    try {
      rolledBack = true;
    } finally {
      access.exit(pass);
    }
  }

  /**
   * Ends it: lets nobody in any more, waits for another thread that is inside, closes the cursors
   * that were left open, and commits unless the block asked for a rollback.
   */
  void commit() {
    stop();
    try {
      if (rolledBack) {
        recordRollback(CallOutcome.OK);
      } else {
        applyAll();
      }
    } catch (RuntimeException | Error e) {
      closeAfter(e);
      throw e;
    }
    try {
      close();
    } catch (RuntimeException e) {
      // an exception would say that nothing was written, and another attempt would write it twice
      LOG.log(
          System.Logger.Level.WARNING, store.url() + ": closing an ended transaction failed", e);
    }
  }

  /** Ends it after the block failed: nothing was written. */
  void abandon(Throwable cause) {
    stop();
    recordRollback(Listening.outcome(cause));
    closeAfter(cause);
  }

  private void stop() {
    access.shut();
    cursors.forEach(Handle::closeWithParent);
  }

  private void applyAll() {
    Throwable failure = access.failure();
    if (failure != null) {
      recordRollback(Listening.outcome(failure));
      throw failedBefore(failure);
    }
    long begun = listening.beginRecorded();
    CallOutcome outcome = CallOutcome.FAILED;
    try {
      store.called(
          StoreListener.Call.COMMIT,
          0,
          () -> {
            transaction.commit();
            return true;
          });
      outcome = CallOutcome.OK;
    } catch (ConflictException e) {
      outcome = CallOutcome.CONFLICT;
      throw e;
    } finally {
      listening.recordBound(CallKind.COMMIT, outcome, "", begun);
    }
  }

  private void recordRollback(CallOutcome outcome) {
    listening.recordBound(CallKind.ROLLBACK, outcome, "", listening.beginRecorded());
  }

  /**
   * The block goes on without what a failed call should have done; on some engines that took effect
   * in part.
   */
  private StadiumException failedBefore(Throwable failure) {
    String text =
        "%s: a call of this transaction failed, and nothing is written: let the exception leave the block (%s)"
            .formatted(store.url(), failure.getMessage());
    return failure instanceof ConflictException
        ? new ConflictException(text, failure)
        : new StadiumException(text, failure);
  }

  private void closeAfter(Throwable cause) {
    try {
      close();
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Works on a closing store too, which waits for it. */
  private void close() {
    try {
      store.access().close(transaction::close);
    } finally {
      synchronized (held) {
        held.forEach(TableHandle::release);
      }
    }
  }
}
