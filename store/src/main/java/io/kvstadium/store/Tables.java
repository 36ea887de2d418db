package io.kvstadium.store;

import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Gate;
import io.kvstadium.store.spi.StoreConfig;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/** The tables of a store that were asked for; each is opened once. Of all threads. */
final class Tables<T extends EngineTable> {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private final OpenStore<T> store;
  private final EngineStore<T> engineStore;
  private final StoreConfig config;
  private final boolean readOnly;
  private final StoreAccess access;
  private final Set<Handle> handles;
  private final Map<String, TableView<T>> views = new ConcurrentHashMap<>();
  private final ReentrantLock opening = new ReentrantLock();

  /**
   * @param handles the set of live handles that cursors join
   */
  Tables(
      OpenStore<T> store,
      EngineStore<T> engineStore,
      StoreConfig config,
      boolean readOnly,
      StoreAccess access,
      Set<Handle> handles) {
    this.store = store;
    this.engineStore = engineStore;
    this.config = config;
    this.readOnly = readOnly;
    this.access = access;
    this.handles = handles;
  }

  static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new BadArgumentException(
          "'" + name + "' cannot name a table: use 1 to 64 letters, digits, '_', '-' and '.'");
    }
  }

  TableView<T> get(String name) {
    TableView<T> known = views.get(name);
    if (known == null) {
      return open(name);
    }
    if (access.gate().isClosed()) {
      throw closed();
    }
    return known;
  }

  private TableView<T> open(String name) {
    checkName(name);
    if (!name.equals(Store.DEFAULT_TABLE)) {
      store.require(Capability.TABLES);
    }
    Gate.Pass pass = access.enter();
    opening.lock();
    try {
      TableView<T> known = views.get(name);
      if (known != null) {
        return known;
      }
      T table = engineStore.openTable(name, config.tableOptions(name), !readOnly);
      if (table == null) {
        throw new BadArgumentException(
            store.url()
                + ": there is no table "
                + name
                + ", and readOnly forbids to make one; there are: "
                + String.join(", ", engineStore.tables()));
      }
      TableView<T> view =
          new TableView<>(
              new TableHandle<>(store, table),
              access,
              engineStore,
              store.capabilities().contains(Capability.WRITE) ? engineStore : null,
              handles,
              store);
      views.put(name, view);
      return view;
    } finally {
      opening.unlock();
      access.exit(pass);
    }
  }

  /**
   * Drops a table if it is there, when no call is in progress; closes what depends on it before.
   */
  void drop(String name) {
    if (name.equals(Store.DEFAULT_TABLE)) {
      throw new BadArgumentException(
          store.url() + ": table " + name + " cannot be dropped: clear() it instead");
    }
    if (!store.tables().contains(name)) {
      return;
    }
    TableView<T> view = get(name);
    if (!access.gate().exclusively(() -> drop(name, view))) {
      throw closed();
    }
  }

  private void drop(String name, TableView<T> view) {
    if (!views.remove(name, view)) {
      return; // somebody else was faster
    }
    for (Handle handle : handles) {
      handle.children().stream()
          .filter(child -> child.dependsOn(view.handle()))
          .forEach(Handle::closeNow);
      if (handle.dependsOn(view.handle())) {
        handle.closeNow();
      }
    }
    try {
      engineStore.dropTable(view.handle().drop());
    } catch (StoreIoException e) {
      throw store.poison(e);
    }
  }

  private ClosedException closed() {
    return new ClosedException(store.url() + ": the store is closed");
  }
}
