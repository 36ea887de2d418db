package io.kvstadium.store.internal.view;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Table;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.internal.Callee;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the writes of one {@code write} block. Guarded by its own monitor, so that a thread that
 * got hold of another thread's batch finds it ended, or adds a write as a whole.
 */
final class OpenBatch<T extends EngineTable> implements Batch, Callee {
  private final StoreCalls<T> store;
  private final Set<TableHandle<T>> tables = new HashSet<>();
  private final List<Write<T>> writes = new ArrayList<>();
  private volatile @Nullable Throwable failure;
  private boolean ended;

  public OpenBatch(StoreCalls<T> store) {
    this.store = store;
  }

  @Override
  public <K, V> void put(Table<K, V> table, K key, V value) {
    add(
        table,
        (typed, view) -> {
          byte[] encodedKey = typed.encodeKey(key);
          byte[] encoded = typed.encodeValue(value);
          view.checkKey(encodedKey);
          view.checkValue(encoded);
          return new Write<>(view.handle().engineTable(), encodedKey, encoded);
        });
  }

  @Override
  public <K> void delete(Table<K, ?> table, K key) {
    add(
        table,
        (typed, view) -> {
          byte[] encoded = typed.encodeKey(key);
          view.checkKey(encoded);
          return new Write<>(view.handle().engineTable(), encoded, null);
        });
  }

  @Override
  public <K> void delete(Table<K, ?> table, Range<K> range) {
    add(
        table,
        (typed, view) -> {
          store.require(Capability.RANGE_DELETE);
          Range<byte[]> bounds = RangeDelete.bounds(view, typed.encode(range));
          return bounds.isEmpty() ? null : Write.delete(view.handle().engineTable(), bounds);
        });
  }

  /** Makes a write of what a call was given. */
  @FunctionalInterface
  private interface Making<T extends EngineTable, K, V> {
    @Nullable Write<T> of(CodecTable<K, V> typed, TableView<T> view);
  }

  private synchronized <K, V> void add(Table<K, V> table, Making<T, K, V> making) {
    checkOpen();
    try {
      CodecTable<K, V> typed = store.checkedTable(table);
      TableView<T> view = store.view(typed);
      tables.add(view.handle());
      Write<T> write = making.of(typed, view);
      if (write != null) {
        writes.add(write);
      }
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

  /** How many bytes of keys and values it holds. */
  public synchronized long bytes() {
    long bytes = 0;
    for (Write<T> write : writes) {
      byte[] value = write.value();
      bytes += write.key().length + (value == null ? 0 : value.length);
    }
    return bytes;
  }

  /** What was written. */
  public synchronized List<Write<T>> writes() {
    return writes;
  }

  /** Lets nothing more in. */
  public synchronized void end() {
    ended = true;
  }

  /**
   * Has everything written; called between enter and exit of the store's access, which keeps its
   * tables from being dropped meanwhile.
   *
   * @throws ClosedException if one of them was dropped
   * @throws StadiumException if a call failed: the batch lacks what that should have added
   */
  public void apply() throws Exception {
    Throwable failed = failure;
    if (failed != null) {
      throw new StadiumException(
          "%s: a call of this batch failed, and nothing is written: let the exception leave the block (%s)"
              .formatted(store.url(), failed.getMessage()),
          failed);
    }
    tables.forEach(TableHandle::engineTable);
    if (!writes.isEmpty()) {
      store.writeBatch(writes);
    }
  }

  private void checkOpen() {
    if (ended) {
      throw new ClosedException("the batch has ended: use it only inside its write block");
    }
  }
}
