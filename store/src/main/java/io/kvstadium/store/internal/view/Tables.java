package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.Handle;
import io.kvstadium.store.internal.guard.StoreAccess;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tables of a store that were asked for; each is opened once. Thread-safe. */
public final class Tables<T extends EngineTable> {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,63}");

  private final StoreCalls<T> store;
  private final EngineStore<T> engineStore;
  private final StoreConfig config;
  private final StoreAccess access;
  private final Set<Handle> handles;
  private final Map<String, TableView<T>> views = new ConcurrentHashMap<>();

  /** Held for opening what is there, which waits for nothing; no table is known twice. */
  private final ReentrantLock opening = new ReentrantLock();

  /**
   * Held for making and dropping, which may wait for a writer, but not for users of the table. It
   * is never taken by a thread that others may wait for: not inside a call, a block or a reader.
   */
  private final ReentrantLock changing = new ReentrantLock();

  /**
   * The table that is being made or dropped, which nobody opens meanwhile; under {@link #opening}.
   */
  private @Nullable String inChange;

  /**
   * @param handles the set of live handles that cursors join
   */
  public Tables(StoreCalls<T> store, StoreConfig config, Set<Handle> handles) {
    this.store = store;
    this.engineStore = store.engineStore();
    this.config = config;
    this.access = store.access();
    this.handles = handles;
  }

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  public static void checkName(String name) {
    if (!isName(Arguments.given("a table", "name", name))) {
      throw new BadArgumentException(
          "'" + name + "' cannot name a table: use 1 to 63 letters, digits, '_', '-' and '.'");
    }
  }

  public TableView<T> get(String name) {
    TableView<T> known = name == null ? null : views.get(name);
    if (known == null) {
      return open(name);
    }
    if (access.gate().isClosed()) {
      throw access.closed();
    }
    return known;
  }

  private TableView<T> open(String name) {
    if (config.adopt()) {
      Arguments.given("a table", "name", name); // as its makers named it
    } else {
      checkName(name);
    }
    if (!name.equals(Store.DEFAULT_TABLE)) {
      store.require(Capability.TABLES);
    }
    TableView<T> present = openPresent(name);
    if (present != null) {
      return present;
    }
    if (config.adopt()) {
      refuseUnreadable(name);
    }
    if (config.readOnly()) {
      throw new BadArgumentException(
          "%s: there is no table %s, and readOnly forbids creating one; there are: %s"
              .formatted(store.url(), name, String.join(", ", store.store().tables())));
    }
    if (store.isAwaited()) {
      throw new BadArgumentException(
          "%s: there is no table %s yet, and a transaction or a value reader cannot make one: ask the store for it first"
              .formatted(store.url(), name));
    }
    return changed(() -> make(name));
  }

  private void refuseUnreadable(String name) {
    String why = store.unreadable().get(name);
    if (why != null) {
      throw new BadArgumentException(
          store.url() + ": table " + name + " cannot be read as entries: " + why);
    }
  }

  private @Nullable TableView<T> openPresent(String name) {
    Gate.Pass pass = access.enter();
    opening.lock();
    try {
      TableView<T> known = views.get(name);
      if (known != null || name.equals(inChange)) {
        return known;
      }
      T table = engineStore.openTable(name, config.tableOptions(name), false);
      return table == null ? null : know(table);
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      opening.unlock();
      access.exit(pass);
    }
  }

  /** Under {@link #changing}. */
  private TableView<T> make(String name) {
    setInChange(name);
    try {
      return access.read(() -> {
        TableView<T> known = views.get(name);
        if (known != null) {
          return known;
        }
        T table = engineStore.openTable(name, config.tableOptions(name), true);
        if (table == null) {
          throw new IllegalStateException(
              "the engine of " + store.url() + " made no table " + name);
        }
        return know(table);
      });
    } finally {
      setInChange(null);
    }
  }

  private void setInChange(@Nullable String name) {
    opening.lock();
    try {
      inChange = name;
    } finally {
      opening.unlock();
    }
  }

  private TableView<T> know(T table) {
    TableView<T> view =
        new TableView<>(
            new TableHandle<>(store, table), access, engineStore, store.writer(), handles, store);
    views.put(table.name(), view);
    return view;
  }

  /** Drops a table if it exists; waits for its users, and holds up nobody else. */
  public void drop(String name) {
    if (name.equals(Store.DEFAULT_TABLE)) {
      throw new BadArgumentException(
          store.url() + ": table " + name + " cannot be dropped: clear() it instead");
    }
    TableView<T> view = changed(() -> store.store().tables().contains(name) ? make(name) : null);
    if (view != null) {
      drop(view);
    }
  }

  private <R extends @Nullable Object> R changed(Supplier<R> change) {
    changing.lock();
    try {
      return change.get();
    } finally {
      changing.unlock();
    }
  }

  private void drop(TableView<T> view) {
    T table = view.handle().drop();
    // Calls in progress that began before, on every table: to count them by table would cost each
    // call another write, and only this one waits, while others come and go.
    access.gate().awaitVisitors();
    for (Handle handle : handles) {
      handle.children().stream()
          .filter(child -> child.dependsOn(view.handle()))
          .forEach(Handle::closeNow);
      if (handle.dependsOn(view.handle())) {
        handle.closeNow();
      }
    }
    boolean _ =
        changed(() -> {
          setInChange(view.name());
          try {
            return access.write(() -> {
              if (views.remove(view.name(), view)) { // else another thread has dropped it
                engineStore.dropTable(table);
              }
              return true;
            });
          } finally {
            setInChange(null);
          }
        });
  }
}
