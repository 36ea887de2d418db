package io.kvstadium.bench.fake;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Options;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A store of one table, which is a map. */
public class MapStore implements EngineStore<MapStore.MapTable> {
  /** The only table. */
  public record MapTable(String name) implements EngineTable {}

  private final ConcurrentSkipListMap<byte[], byte[]> entries =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final Set<Capability> capabilities;

  /** An empty one. */
  public MapStore(Set<Capability> capabilities) {
    this.capabilities = capabilities;
  }

  @Override
  public byte @Nullable [] get(MapTable table, byte[] key) {
    byte[] value = entries.get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public void put(MapTable table, byte[] key, byte[] value) {
    entries.put(key.clone(), value.clone());
  }

  @Override
  public void delete(MapTable table, byte[] key) {
    entries.remove(key);
  }

  @Override
  public void write(List<Write<MapTable>> writes) {
    for (Write<MapTable> write : writes) {
      byte[] value = write.value();
      if (value == null) {
        delete(write.table(), write.key());
      } else {
        put(write.table(), write.key(), value);
      }
    }
  }

  @Override
  public void bulkLoad(MapTable table, Iterator<Entry<byte[], byte[]>> loaded, boolean sorted) {
    loaded.forEachRemaining(entry -> put(table, entry.key(), entry.value()));
  }

  @Override
  public EngineCursor cursor(MapTable table, Range<byte[]> range) {
    Iterator<Map.Entry<byte[], byte[]>> within =
        entries.entrySet().stream().filter(each -> range.contains(each.getKey())).iterator();
    return new EngineCursor() {
      private Map.@Nullable Entry<byte[], byte[]> current;

      @Override
      public boolean next() {
        current = within.hasNext() ? within.next() : null;
        return current != null;
      }

      @Override
      public byte[] key() {
        return current().getKey().clone();
      }

      @Override
      public byte[] value() {
        return current().getValue().clone();
      }

      private Map.Entry<byte[], byte[]> current() {
        Map.Entry<byte[], byte[]> entry = current;
        if (entry == null) {
          throw new IllegalStateException("no current entry");
        }
        return entry;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Set<String> tables() {
    return Set.of("default");
  }

  @Override
  public MapTable openTable(String name, Options options, boolean create) {
    return new MapTable(name);
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}
}
