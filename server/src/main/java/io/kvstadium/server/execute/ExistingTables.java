package io.kvstadium.server.execute;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The existing tables of a store. A table that is being removed is gone for everybody, so that
 * nobody makes it again. Safe for all threads; may touch the disk.
 */
public final class ExistingTables {
  private final Store store;
  private final @Nullable HotEntries hot;

  /** Guarded by this object's monitor, which is never held while waiting for another thread. */
  private final Set<String> dropping = new HashSet<>();

  ExistingTables(Store store, @Nullable HotEntries hot) {
    this.store = store;
    this.hot = hot;
  }

  /** A table, or {@code null}. To be called again each time, since others may remove it. */
  public synchronized @Nullable Table<byte[], byte[]> find(String name) {
    return exists(name) ? store.table(name) : null;
  }

  private boolean exists(String name) {
    return !dropping.contains(name) && store.tables().contains(name);
  }

  /**
   * A table for writing, which is made unless there is one.
   *
   * @throws BadArgumentException while it is being removed
   */
  public Table<byte[], byte[]> make(String name) {
    synchronized (this) {
      if (dropping.contains(name)) {
        throw new BadArgumentException("table " + name + " is being dropped: try again");
      }
    }
    return store.table(name);
  }

  /**
   * Begins to remove a table, which nobody finds any more; returns whether there was one. Only
   * while no commit group that writes to it is being executed. {@link #endDrop} must follow.
   */
  public synchronized boolean beginDrop(String name) {
    return exists(name) && dropping.add(name);
  }

  /**
   * Removes the table, on a thread of its own: that waits for its readers.
   *
   * @param ended gets why it could not be removed, or {@code null}
   */
  public void endDrop(String name, Consumer<@Nullable RuntimeException> ended) {
    Thread.ofPlatform()
        .name("stadium-drop-" + name)
        .start(() -> {
          RuntimeException failure = null;
          try {
            store.dropTable(name);
          } catch (RuntimeException e) {
            failure = e;
          } finally {
            synchronized (this) {
              if (hot != null) {
                hot.forget(name);
              }
              dropping.remove(name);
            }
          }
          ended.accept(failure);
        });
  }
}
