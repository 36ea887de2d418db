package toy;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.StoreConfig;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** The smallest complete engine: one sorted map on the heap. It declares only what it provides. */
public final class ToyEngine implements Engine {
  private static final DurabilityMapping NONE =
      DurabilityMapping.none("entries are only on the heap");

  private static final EngineInfo INFO =
      new EngineInfo(
          "toy",
          "Toy",
          "1",
          "Apache-2.0",
          "One sorted map on the heap.",
          "An example of KV Stadium.",
          false,
          Set.of(
              Capability.WRITE, Capability.SCAN, Capability.ORDERED_SCAN, Capability.EMPTY_KEY),
          new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
          Map.of(Durability.NONE, NONE, Durability.ENGINE_DEFAULT, NONE),
          List.of(),
          List.of(
              "Everything is gone when the store is closed.",
              "A scan reads all entries when it begins, and keeps those in its range."),
          false);

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new ToyStore();
  }

  /** There is only one table. */
  private record ToyTable(String name) implements EngineTable {}

  /** Reads run concurrently with a writer; the library calls from many threads. */
  private static final class ToyStore implements EngineStore<ToyTable> {
    private final NavigableMap<byte[], byte[]> map =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

    @Override
    public Set<String> tables() {
      return Set.of(Store.DEFAULT_TABLE);
    }

    @Override
    public ToyTable openTable(String name, Options options, boolean create) {
      return new ToyTable(name);
    }

    /** Arrays passed in or returned belong to the caller, who may change them: hence the copies. */
    @Override
    public byte[] get(ToyTable table, byte[] key) {
      byte[] value = map.get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public synchronized void put(ToyTable table, byte[] key, byte[] value) {
      map.put(key.clone(), value.clone());
    }

    @Override
    public synchronized void delete(ToyTable table, byte[] key) {
      map.remove(key);
    }

    /** A cursor sees one state, whatever is written while it is open. */
    @Override
    public synchronized EngineCursor cursor(ToyTable table, Range<byte[]> range) {
      return new ToyCursor(
          (range.reversed() ? map.descendingMap() : map)
              .entrySet().stream().filter(entry -> range.contains(entry.getKey())).toList());
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}
  }

  private static final class ToyCursor implements EngineCursor {
    private final Iterator<Map.Entry<byte[], byte[]>> entries;
    private Map.Entry<byte[], byte[]> current;

    ToyCursor(List<Map.Entry<byte[], byte[]>> entries) {
      this.entries = entries.iterator();
    }

    @Override
    public boolean next() {
      current = entries.hasNext() ? entries.next() : null;
      return current != null;
    }

    @Override
    public byte[] key() {
      return current.getKey().clone();
    }

    @Override
    public byte[] value() {
      return current.getValue().clone();
    }

    @Override
    public void close() {}
  }
}
