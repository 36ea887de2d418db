package io.kvstadium.store;

import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Write;
import java.util.ArrayList;
import java.util.List;

/** Collects the writes of one {@code write} block. */
final class OpenBatch<T extends EngineTable> implements Batch {
  private final OpenStore<T> store;
  private final List<Write<T>> writes = new ArrayList<>();
  private boolean discarded;
  private boolean ended;

  OpenBatch(OpenStore<T> store) {
    this.store = store;
  }

  @Override
  public TableWriter on(Table table) {
    checkOpen();
    return new Writer(store.view(table));
  }

  @Override
  public void discard() {
    checkOpen();
    discarded = true;
  }

  /** Ends it; what is to be written, empty if it was discarded. */
  List<Write<T>> end() {
    ended = true;
    return discarded ? List.of() : writes;
  }

  private void checkOpen() {
    if (ended) {
      throw new ClosedException("the batch has ended: use it only inside its write block");
    }
  }

  private final class Writer implements TableWriter {
    private final TableView<T> table;

    Writer(TableView<T> table) {
      this.table = table;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      checkOpen();
      table.checkKey(key);
      table.checkValue(value);
      writes.add(new Write<>(table.handle().engineTable(), key, value));
    }

    @Override
    public void delete(byte[] key) {
      checkOpen();
      table.checkKey(key);
      writes.add(new Write<>(table.handle().engineTable(), key, null));
    }
  }
}
