package io.kvstadium.engine.mapdb;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.StoreConfig;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.mapdb.DB;

/** MapDB by hand. */
public final class MapDbByHand implements ByHand {
  private final DB file;
  private final ConcurrentNavigableMap<byte[], byte[]> map;

  /** Opens or creates the store. */
  public MapDbByHand(StoreConfig config) {
    MapDbTable table = MapDbStore.open(config, Store.DEFAULT_TABLE);
    file = table.file();
    map = (ConcurrentNavigableMap<byte[], byte[]>) table.map();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return map.get(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    map.put(key, value);
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    Iterator<Map.Entry<byte[], byte[]>> entries = map.tailMap(from).entrySet().iterator();
    for (int i = 0; i < limit && entries.hasNext(); i++) {
      Map.Entry<byte[], byte[]> entry = entries.next();
      each.accept(entry.getKey(), entry.getValue());
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
