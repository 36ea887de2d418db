package io.kvstadium.engine.qdbm;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** QDBM by hand: the library's calls alone, without locks and limits. */
public final class RawQdbm implements Baseline {
  @Override
  public Handle open(StoreConfig config) {
    return new Raw(QdbmTable.open(config, Store.DEFAULT_TABLE));
  }

  private static final class Raw implements Handle {
    private final QdbmTable table;
    private final MemorySegment handle;

    Raw(QdbmTable table) {
      this.table = table;
      this.handle = table.handle();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      byte[] value = table.get(handle, table.hold(key), key.length);
      if (value == null) {
        table.isMiss("get");
      }
      return value;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      MemorySegment held = table.hold(key, value);
      table.check(table.put(handle, held, key.length, value.length), "put");
    }

    @Override
    public void delete(byte[] key) {
      if (!table.out(handle, table.hold(key), key.length)) {
        table.isMiss("delete");
      }
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
