package io.kvstadium.store;

import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the writes of one {@code write} block. Guarded by its own monitor, so that a thread that
 * got hold of another thread's batch finds it ended, or adds a write as a whole.
 */
final class OpenBatch<T extends EngineTable> implements Batch {
  private final OpenStore<T> store;
  private final Set<TableHandle<T>> tables = new HashSet<>();
  private final List<Write<T>> writes = new ArrayList<>();
  private boolean ended;

  OpenBatch(OpenStore<T> store) {
    this.store = store;
  }

  @Override
  public synchronized BatchTable on(Table table) {
    checkOpen();
    TableView<T> view = store.view(table);
    tables.add(view.handle());
    return new Writer(view);
  }

  /** Lets nothing more in. */
  synchronized void end() {
    ended = true;
  }

  /**
   * Has everything written; called between enter and exit of the store's access, which keeps its
   * tables from being dropped meanwhile.
   *
   * @throws ClosedException if one of them was dropped
   */
  void apply(Writing<T> write) throws Exception {
    tables.forEach(TableHandle::engineTable);
    if (!writes.isEmpty()) {
      write.all(writes);
    }
  }

  /** Gives a batch to the engine. */
  @FunctionalInterface
  interface Writing<T extends EngineTable> {
    void all(List<Write<T>> writes) throws Exception;
  }

  private synchronized void add(Write<T> write) {
    checkOpen();
    writes.add(write);
  }

  private void checkOpen() {
    if (ended) {
      throw new ClosedException("the batch has ended: use it only inside its write block");
    }
  }

  private final class Writer implements BatchTable {
    private final TableView<T> table;

    Writer(TableView<T> table) {
      this.table = table;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      table.checkKey(key);
      table.checkValue(value);
      add(new Write<>(table.handle().engineTable(), key, value));
    }

    @Override
    public void delete(byte[] key) {
      table.checkKey(key);
      add(new Write<>(table.handle().engineTable(), key, null));
    }

    @Override
    public void delete(Range range) {
      Range bounds = RangeDelete.bounds(table, range);
      if (!bounds.isEmpty()) {
        add(Write.delete(table.handle().engineTable(), bounds));
      }
    }
  }
}
