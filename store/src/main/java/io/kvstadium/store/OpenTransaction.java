package io.kvstadium.store;

import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Gate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One attempt of a {@code transact} block. */
final class OpenTransaction<T extends EngineTable> implements Transaction {
  private final OpenStore<T> store;
  private final EngineTransaction<T> transaction;
  private final HandleAccess access;
  private final Set<Handle> cursors = ConcurrentHashMap.newKeySet();
  private boolean rolledBack;

  OpenTransaction(OpenStore<T> store, EngineTransaction<T> transaction, HandleAccess access) {
    this.store = store;
    this.transaction = transaction;
    this.access = access;
  }

  @Override
  public Table on(Table table) {
    return new TableView<>(
        store.view(table).handle(), access, transaction, transaction, cursors, this);
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

  /** Ends the block that ran well: commits unless it asked for a rollback. */
  void commit() {
    cursors.forEach(Handle::closeNow);
    Gate.Pass pass = access.enter();
    try {
      if (!rolledBack) {
        transaction.commit();
      }
    } catch (StoreIoException e) {
      throw store.poison(e);
    } finally {
      access.exit(pass);
    }
  }

  /** Frees it; what was not committed is gone. Works on a closing store too. */
  void close() {
    cursors.forEach(Handle::closeNow);
    access.close();
    transaction.close();
  }
}
