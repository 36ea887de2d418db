package io.kvstadium.store;

import io.kvstadium.store.spi.EngineSnapshot;
import io.kvstadium.store.spi.EngineTable;
import java.lang.ref.Cleaner;

/** The user's side of a snapshot. */
final class SnapshotView<T extends EngineTable> implements Snapshot {
  private final OpenStore<T> store;
  private final EngineSnapshot<T> snapshot;
  private final Handle handle;
  private final Cleaner.Cleanable watch;

  SnapshotView(OpenStore<T> store, EngineSnapshot<T> snapshot, Handle handle) {
    this.store = store;
    this.snapshot = snapshot;
    this.handle = handle;
    this.watch = handle.watch(this);
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
    watch.clean();
  }
}
