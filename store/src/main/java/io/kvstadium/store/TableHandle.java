package io.kvstadium.store;

import io.kvstadium.store.spi.EngineTable;

/** A table that was opened: shared by all its views, and marked when it is dropped. */
final class TableHandle<T extends EngineTable> {
  private final OpenStore<T> store;
  private final T engineTable;
  private volatile boolean dropped;

  TableHandle(OpenStore<T> store, T engineTable) {
    this.store = store;
    this.engineTable = engineTable;
  }

  OpenStore<T> store() {
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
  T engineTable() {
    if (dropped) {
      throw new ClosedException(
          store.url() + ": table " + name() + " was dropped: ask the store for it again");
    }
    return engineTable;
  }

  /** The engine's handle, for the one who drops it. */
  T drop() {
    dropped = true;
    return engineTable;
  }
}
