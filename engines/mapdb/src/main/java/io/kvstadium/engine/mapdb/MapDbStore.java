package io.kvstadium.engine.mapdb;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** A directory of files with one map each. */
final class MapDbStore implements EngineStore<MapDbTable> {
  private final StoreConfig config;
  private final MapDbCalls calls;
  private final Map<String, MapDbTable> open = new ConcurrentHashMap<>();
  private final ReentrantLock files = new ReentrantLock(); // none is closed while all are synced

  MapDbStore(StoreConfig config) {
    this.config = config;
    this.calls = new MapDbCalls(config.directory());
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> capabilities = EnumSet.copyOf(MapDbEngine.CAPABILITIES);
    if (isHash(config)) {
      capabilities.remove(Capability.ORDERED_SCAN);
    }
    return capabilities;
  }

  private static boolean isHash(StoreConfig config) {
    return config.options().text("type").equals("hash");
  }

  @Override
  public Durability durability() {
    return config.durability();
  }

  private static Path file(StoreConfig config, String table) {
    return config.directory().resolve(table + MapDbEngine.SUFFIX);
  }

  @Override
  public Set<String> tables() {
    try (Stream<Path> files = Files.list(config.directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(MapDbEngine.SUFFIX))
          .map(name -> name.substring(0, name.length() - MapDbEngine.SUFFIX.length()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new StoreIoException("engine mapdb: cannot list " + config.path() + ": " + e, e);
    }
  }

  @Override
  public @Nullable MapDbTable openTable(String name, Options options, boolean create) {
    if (!create && !Files.exists(file(config, name))) {
      return null;
    }
    MapDbTable table = calls.get(() -> open(config, name));
    open.put(name, table);
    return table;
  }

  static MapDbTable open(StoreConfig config, String name) {
    Path path = file(config, name);
    DBMaker.Maker maker =
        isMapped(config)
            ? CalmVolume.maker(path, config.readOnly())
            : DBMaker.fileDB(path.toFile());
    DB file = (config.readOnly() ? maker.readOnly() : maker).make();
    try {
      return new MapDbTable(name, file, map(config, name, file));
    } catch (RuntimeException | AssertionError e) {
      file.close();
      throw e;
    }
  }

  private static boolean isMapped(StoreConfig config) {
    boolean usual = config.durability() == Durability.ENGINE_DEFAULT; // then MapDB's own volume
    return config.options().text("volume").equals("mmap")
        && (!usual || config.options().given().containsKey("volume"));
  }

  private static ConcurrentMap<byte[], byte[]> map(StoreConfig config, String name, DB file) {
    if (isHash(config)) {
      return file.hashMap("map", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY).createOrOpen();
    }
    DB.TreeMapMaker<byte[], byte[]> tree =
        file.treeMap("map", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY);
    if (config.tableOptions(name).bool("values_outside_nodes")) {
      tree.valuesOutsideNodesEnable();
    }
    return tree.createOrOpen();
  }

  @Override
  public void dropTable(MapDbTable table) {
    files.lock();
    try {
      open.remove(table.name());
      calls.run(table.file()::close);
    } finally {
      files.unlock();
    }
    try {
      Files.delete(file(config, table.name()));
    } catch (IOException e) {
      throw new StoreIoException("engine mapdb: cannot remove " + config.path() + ": " + e, e);
    }
  }

  @Override
  public byte @Nullable [] get(MapDbTable table, byte[] key) {
    return calls.<byte @Nullable []>get(() -> table.map().get(key));
  }

  @Override
  public boolean exists(MapDbTable table, byte[] key) {
    return calls.get(() -> table.map().containsKey(key));
  }

  @Override
  public void put(MapDbTable table, byte[] key, byte[] value) {
    calls.run(() -> table.map().put(key, value));
  }

  @Override
  public void delete(MapDbTable table, byte[] key) {
    calls.run(() -> table.map().remove(key));
  }

  @Override
  public EngineCursor cursor(MapDbTable table, Range range) {
    return calls.get(() -> new MapDbCursor(calls, entries(table.map(), range)));
  }

  private static Iterator<Map.Entry<byte[], byte[]>> entries(
      ConcurrentMap<byte[], byte[]> map, Range range) {
    if (!(map instanceof BTreeMap<byte[], byte[]> tree)) {
      return map.entrySet().iterator();
    }
    byte[] from = range.from();
    byte[] to = range.to();
    boolean fromInclusive = range.fromInclusive();
    boolean toInclusive = range.toInclusive();
    return range.reversed()
        ? tree.descendingEntryIterator(from, fromInclusive, to, toInclusive)
        : tree.entryIterator(from, fromInclusive, to, toInclusive);
  }

  @Override
  public void sync() {
    files.lock();
    try {
      calls.run(() -> open.values().forEach(table -> table.file().commit()));
    } finally {
      files.unlock();
    }
  }

  @Override
  public void close() {
    StadiumException failure = null;
    for (MapDbTable table : open.values()) {
      try {
        calls.run(table.file()::close);
      } catch (StadiumException e) {
        failure = e; // close the others all the same, then tell
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
