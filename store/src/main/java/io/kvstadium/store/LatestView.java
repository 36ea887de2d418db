package io.kvstadium.store;

import io.kvstadium.store.spi.EngineTable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The latest state of a store without snapshots, for the time of a {@link Store#read} block. */
final class LatestView<T extends EngineTable> implements ReadView, AutoCloseable {
  private final OpenStore<T> store;
  private final HandleAccess access;
  private final Set<Handle> cursors = ConcurrentHashMap.newKeySet();

  LatestView(OpenStore<T> store, StoreAccess parent) {
    this.store = store;
    this.access = new HandleAccess(parent, "the view", true);
    access.exit(access.enter()); // refuses a closed store, as a snapshot would
  }

  @Override
  public TableReader on(Table table) {
    return new TableView<>(
        store.view(table).handle(), access, store.engineStore(), null, cursors, this);
  }

  @Override
  public ReadGuarantee guarantee() {
    return ReadGuarantee.LATEST;
  }

  @Override
  public void close() {
    cursors.forEach(Handle::closeNow);
    access.close();
  }
}
