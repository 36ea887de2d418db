package io.kvstadium.engine.mapdb;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.StoreConfig;
import org.jspecify.annotations.Nullable;

/** MapDB by hand. */
public final class RawMapDb implements Baseline {
  @Override
  public Handle open(StoreConfig config) {
    return new RawHandle(MapDbStore.open(config, Store.DEFAULT_TABLE));
  }

  private record RawHandle(MapDbTable table) implements Handle {
    @Override
    public byte @Nullable [] get(byte[] key) {
      return table.map().get(key);
    }

    @Override
    public void put(byte[] key, byte[] value) {
      table.map().put(key, value);
    }

    @Override
    public void delete(byte[] key) {
      table.map().remove(key);
    }

    @Override
    public void close() {
      table.file().close();
    }
  }
}
