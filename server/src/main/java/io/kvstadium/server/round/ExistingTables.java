package io.kvstadium.server.round;

import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The existing tables of a store. A table that is being removed is gone for everybody, so that
 * nobody makes it again. Safe for all threads; may touch the disk.
 */
public final class ExistingTables {
  private final Store store;

  /** Guarded by this object's monitor, which is never held while waiting for another thread. */
  private final Set<String> dropping = new HashSet<>();

  ExistingTables(Store store) {
    this.store = store;
  }

  /** A table, or {@code null}. To be called again each time, since others may remove it. */
  public synchronized @Nullable Table<byte[], byte[]> find(String name) {
    return exists(name) ? store.table(name) : null;
  }

  private boolean exists(String name) {
    return !dropping.contains(name) && store.tables().contains(name);
  }

  /**
   * Removes a table; returns whether there was one. Only while no round that writes to it is being
   * executed.
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
