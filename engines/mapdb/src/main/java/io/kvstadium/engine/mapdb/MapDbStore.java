package io.kvstadium.engine.mapdb;

import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.IteratorCursor;
import io.kvstadium.store.engine.help.TableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.mapdb.BTreeMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/** A directory of files with one map each. */
final class MapDbStore implements EngineStore<MapDbTable> {
  private final StoreConfig config;
  private final TableFiles tableFiles;
  private final Map<String, MapDbTable> open = new ConcurrentHashMap<>();
  private final ReentrantLock files = new ReentrantLock(); // none is closed while all are synced

  MapDbStore(StoreConfig config) {
    this.config = config;
    this.tableFiles = MapDbEngine.files(config);
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return MapDbEngine.classify(thrown);
  }

  @Override
  public Set<String> tables() throws IOException {
    return tableFiles.tables();
  }

  @Override
  public @Nullable MapDbTable openTable(String name, Options options, boolean create) {
    if (!create && !Files.exists(tableFiles.of(name))) {
      return null;
    }
    MapDbTable table = open(config, name);
    open.put(name, table);
    return table;
  }

  static MapDbTable open(StoreConfig config, String name) {
    Path path = MapDbEngine.files(config).of(name);
    DBMaker.Maker maker = DBMaker.fileDB(path.toFile());
    if (isMapped(config)) {
      maker = maker.fileMmapEnable();
    }
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

  private static BTreeMap<byte[], byte[]> map(StoreConfig config, String name, DB file) {
    DB.TreeMapMaker<byte[], byte[]> tree =
        file.treeMap("map", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY);
    if (config.tableOptions(name).bool("values_outside_nodes")) {
      tree.valuesOutsideNodesEnable();
    }
    return tree.createOrOpen();
  }

  @Override
  public void dropTable(MapDbTable table) throws IOException {
    files.lock();
    try {
      open.remove(table.name());
      table.file().close();
    } finally {
      files.unlock();
    }
    Files.delete(tableFiles.of(table.name()));
  }

  @Override
  public byte @Nullable [] get(MapDbTable table, byte[] key) {
    return table.map().get(key);
  }

  @Override
  public boolean contains(MapDbTable table, byte[] key) {
    return table.map().containsKey(key);
  }

  @Override
  public void put(MapDbTable table, byte[] key, byte[] value) {
    table.map().put(key, value);
  }

  @Override
  public void delete(MapDbTable table, byte[] key) {
    table.map().remove(key);
  }

  @Override
  public EngineCursor cursor(MapDbTable table, Range<byte[]> range) {
    return new IteratorCursor(entries(table.map(), range));
  }

  private static Iterator<Map.Entry<byte[], byte[]>> entries(
      BTreeMap<byte[], byte[]> tree, Range<byte[]> range) {
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
      open.values().forEach(table -> table.file().commit());
    } finally {
      files.unlock();
    }
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (MapDbTable table : open.values()) {
      try {
        table.file().close();
      } catch (RuntimeException e) {
        failure = e; // still close the others, then report it
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
