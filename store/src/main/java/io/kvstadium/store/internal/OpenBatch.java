package io.kvstadium.store.internal;

import io.kvstadium.store.Batch;
import io.kvstadium.store.BatchTable;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the writes of one {@code write} block. Guarded by its own monitor, so that a thread that
 * got hold of another thread's batch finds it ended, or adds a write as a whole.
 */
final class OpenBatch<T extends EngineTable> implements Batch, Callee {
  private final OpenStore<T> store;
  private final Set<TableHandle<T>> tables = new HashSet<>();
  private final List<Write<T>> writes = new ArrayList<>();
  private volatile @Nullable Throwable failure;
  private boolean ended;

  OpenBatch(OpenStore<T> store) {
    this.store = store;
  }

  @Override
  public synchronized BatchTable on(Table table) {
    checkOpen();
    try {
      TableView<T> view = store.view(table);
      tables.add(view.handle());
      return new Writer(view);
    } catch (StadiumException e) {
      throw Callee.failed(this, e);
    }
  }

  @Override
  public synchronized void callFailed(Throwable thrown) {
    if (failure == null && !ended) {
      failure = thrown;
    }
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
   * @throws StadiumException if a call failed: the batch lacks what that should have added
   */
  void apply(Writing<T> write) throws Exception {
    Throwable failed = failure;
    if (failed != null) {
      throw new StadiumException(
          store.url()
              + ": a call of this batch failed, and nothing is written: let the exception leave the"
              + " block ("
              + failed.getMessage()
              + ")",
          failed);
    }
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

  private final class Writer implements BatchTable, Callee {
    private final TableView<T> table;

    Writer(TableView<T> table) {
      this.table = table;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      add(() -> {
        table.checkKey(key);
        table.checkValue(value);
        return new Write<>(table.handle().engineTable(), key, value);
      });
    }

    @Override
    public void delete(byte[] key) {
      add(() -> {
        table.checkKey(key);
        return new Write<>(table.handle().engineTable(), key, null);
      });
    }

    @Override
    public void delete(Range range) {
      add(() -> {
        Range bounds = RangeDelete.bounds(table, range);
        return bounds.isEmpty() ? null : Write.delete(table.handle().engineTable(), bounds);
      });
    }

    private void add(Supplier<@Nullable Write<T>> making) {
      try {
        Write<T> write = making.get();
        if (write != null) {
          OpenBatch.this.add(write);
        }
      } catch (StadiumException e) {
        callFailed(e);
        throw e;
      }
    }

    @Override
    public void callFailed(Throwable failure) {
      OpenBatch.this.callFailed(failure);
    }

    @Override
    public String toString() {
      return table.toString();
    }
  }
}
