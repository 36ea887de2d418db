package io.kvstadium.server.round;

import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a store that are there. One that is being removed is gone for all that ask, so that
 * nobody makes it again. Safe for all threads; may touch the disk.
 */
public final class ExistingTables {
  private final Store store;

  /** Under this object's monitor, which is never held while somebody else is waited for. */
  private final Set<String> dropping = new HashSet<>();

  ExistingTables(Store store) {
    this.store = store;
  }

  /** A table, or {@code null}. To be asked for again each time, for others may remove it. */
  public synchronized @Nullable Table find(String name) {
    return exists(name) ? store.table(name) : null;
  }

  private boolean exists(String name) {
    return !dropping.contains(name) && store.tables().contains(name);
  }

  /**
   * Removes a table; whether there was one. Only where no round is being executed that writes to
   * it.
   */
  public boolean drop(String name) {
    synchronized (this) {
      if (!exists(name)) {
        return false;
      }
      dropping.add(name);
    }
    try {
      store.dropTable(name);
      return true;
    } finally {
      synchronized (this) {
        dropping.remove(name);
      }
    }
  }
}
