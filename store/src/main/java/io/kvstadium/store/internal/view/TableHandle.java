package io.kvstadium.store.internal.view;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.internal.guard.Access;

/** An open table: shared by all its views, and marked when it is dropped. */
final class TableHandle<T extends EngineTable> {
  private final StoreCalls<T> store;
  private final T engineTable;
  private volatile boolean dropped;
  private boolean dropping; // with users, under this object's monitor
  private int users;

  public TableHandle(StoreCalls<T> store, T engineTable) {
    this.store = store;
    this.engineTable = engineTable;
  }

  public StoreCalls<T> store() {
    return store;
  }

  String name() {
    return engineTable.name();
  }

  /**
   * The engine's handle; called between enter and exit of an {@link Access}.
   *
   * @throws ClosedException if the table was dropped
   */
  public T engineTable() {
    if (dropped) {
      throw wasDropped();
    }
    return engineTable;
  }

  /**
   * Keeps the table from being dropped until {@link #release}, for what uses it over several calls:
   * a transaction, a batch, a load.
   *
   * @throws ClosedException if the table was dropped or is about to be
   */
  synchronized void hold() {
    if (dropping) {
      throw wasDropped();
    }
    users++;
  }

  synchronized void release() {
    users--;
    notifyAll();
  }

  /** Waits until nobody holds it and refuses all further use; returns the engine's handle. */
  synchronized T drop() {
    dropping = true;
    boolean interrupted = false;
    while (users > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    dropped = true;
    return engineTable;
  }

  private ClosedException wasDropped() {
    return new ClosedException(
        store.url() + ": table " + name() + " was dropped: ask the store for it again");
  }
}
