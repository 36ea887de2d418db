package io.kvstadium.store.internal;

import io.kvstadium.store.ReadGuarantee;
import io.kvstadium.store.ReadView;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.engine.EngineTable;

/**
 * The latest state of a store without snapshots, for the duration of a {@link Store#read} block.
 */
final class LatestView<T extends EngineTable> implements ReadView {
  private final OpenStore<T> store;
  private final Handle handle;

  /**
   * @param handle through which the store, or the drop of a table, closes this view's cursors
   */
  LatestView(OpenStore<T> store, Handle handle) {
    this.store = store;
    this.handle = handle;
  }

  @Override
  public TableReader on(Table table) {
    return new TableView<>(
        store.view(table).handle(),
        handle.access(),
        store.engineStore(),
        null,
        handle.children(),
        this);
  }

  @Override
  public ReadGuarantee guarantee() {
    return ReadGuarantee.LATEST;
  }
}
