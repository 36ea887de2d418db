package io.kvstadium.engine.nothing;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The same nothing without the library: the difference is the cost of the guards. */
public final class RawNull implements Baseline {
  @Override
  public Handle open(StoreConfig config) {
    NullStore store = (NullStore) new NullEngine().open(config);
    NullStore.NullTable table =
        store.openTable("default", Options.of("null", List.of(), Map.of()), true);
    return new Handle() {
      @Override
      public byte @Nullable [] get(byte[] key) {
        return store.get(table, key);
      }

      @Override
      public void put(byte[] key, byte[] value) {
        store.put(table, key, value);
      }

      @Override
      public void delete(byte[] key) {
        store.delete(table, key);
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }
}
