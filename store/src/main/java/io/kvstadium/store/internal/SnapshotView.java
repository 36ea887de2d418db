package io.kvstadium.store.internal;

import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTable;

/** The user's side of a snapshot. */
final class SnapshotView<T extends EngineTable> implements Snapshot {
  private final OpenStore<T> store;
  private final EngineSnapshot<T> snapshot;
  private final Handle handle;

  SnapshotView(OpenStore<T> store, EngineSnapshot<T> snapshot, Handle handle) {
    this.store = store;
    this.snapshot = snapshot;
    this.handle = handle;
    handle.watch(this);
  }

  Handle handle() {
    return handle;
  }

  @Override
  public TableReader on(Table table) {
    return new TableView<>(
        store.view(table).handle(), handle.access(), snapshot, null, handle.children(), this);
  }

  @Override
  public void close() {
    handle.close();
  }
}
