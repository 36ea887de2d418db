package io.kvstadium.store.internal.view;

import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.internal.guard.Handle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The user's side of a snapshot. */
public final class SnapshotView<T extends EngineTable> implements Snapshot {
  private final StoreCalls<T> store;
  private final EngineSnapshot<T> snapshot;
  private final Handle handle;

  /**
   * @param handles the set of the store's live handles
   */
  public SnapshotView(StoreCalls<T> store, EngineSnapshot<T> snapshot, Set<Handle> handles) {
    this.store = store;
    this.snapshot = snapshot;
    this.handle = new SnapshotHandle(store, snapshot, handles);
    handle.watch(this);
  }

  /** Does not refer to what the user holds, or it would never be lost. */
  private static final class SnapshotHandle extends Handle {
    private final StoreCalls<?> store;
    private final EngineSnapshot<?> snapshot;

    SnapshotHandle(StoreCalls<?> store, EngineSnapshot<?> snapshot, Set<Handle> handles) {
      super(
          store.access(),
          "the snapshot",
          true,
          handles,
          ConcurrentHashMap.newKeySet(),
          null,
          store.listening()::leak);
      this.store = store;
      this.snapshot = snapshot;
    }

    @Override
    protected String description() {
      return "snapshot of " + store.url();
    }

    @Override
    protected void closeEngine() throws Exception {
      snapshot.close();
    }
  }

  @Override
  public <K, V> TableReader<K, V> on(Table<K, V> table) {
    CodecTable<K, V> known = store.checkedTable(table);
    return known.by(
        new TableView<>(
            store.view(known).handle(), handle, snapshot, null, handle.children(), this));
  }

  @Override
  public void close() {
    handle.close();
  }
}
