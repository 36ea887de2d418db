package io.kvstadium.engine.qdbm;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import io.kvstadium.store.spi.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of tables. */
final class QdbmStore implements EngineStore<QdbmTable> {
  private final StoreConfig config;
  private final Set<Capability> capabilities;
  private final Map<String, QdbmTable> opened = new ConcurrentHashMap<>();

  QdbmStore(StoreConfig config) {
    this.config = config;
    EnumSet<Capability> able = EnumSet.copyOf(QdbmEngine.CAPABILITIES);
    if (!QdbmEngine.isTree(config)) {
      able.removeAll(QdbmEngine.OF_TREE);
    }
    if (config.readOnly()) {
      able.removeAll(QdbmEngine.OF_WRITER);
    }
    this.capabilities = able;
    String other = QdbmEngine.isTree(config) ? QdbmEngine.DEPOT : QdbmEngine.VILLA;
    if (!files(other).isEmpty()) {
      throw new BadArgumentException(
          "engine qdbm: "
              + config.directory()
              + " holds files *"
              + other
              + ": open it with the other type, or choose another directory");
    }
  }

  /** The names before the suffix. */
  private Set<String> files(String suffix) {
    try (Stream<Path> files = Files.list(config.directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(suffix))
          .map(name -> name.substring(0, name.length() - suffix.length()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw io("listing", config.directory(), e);
    }
  }

  private static StoreIoException io(String what, Path path, IOException e) {
    return new StoreIoException(
        "engine qdbm: " + what + " " + path + " failed; check disk and rights: " + e, e);
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Durability durability() {
    return config.durability(); // each of the two is what it says
  }

  @Override
  public Set<String> tables() {
    return files(QdbmEngine.suffix(config));
  }

  @Override
  public @Nullable QdbmTable openTable(String name, Options options, boolean create) {
    if (!create && !Files.exists(config.directory().resolve(name + QdbmEngine.suffix(config)))) {
      return null;
    }
    QdbmTable table = QdbmTable.open(config, name);
    opened.put(name, table);
    return table;
  }

  @Override
  public void dropTable(QdbmTable table) {
    opened.remove(table.name());
    table.close();
    try {
      Files.delete(table.path());
    } catch (IOException e) {
      throw io("deleting", table.path(), e);
    }
  }

  @Override
  public byte @Nullable [] get(QdbmTable table, byte[] key) {
    return table.get(key);
  }

  @Override
  public boolean exists(QdbmTable table, byte[] key) {
    return table.exists(key);
  }

  @Override
  public EngineCursor cursor(QdbmTable table, Range range) {
    return new QdbmCursor((Villa) table, range);
  }

  @Override
  public void put(QdbmTable table, byte[] key, byte[] value) {
    table.put(key, value);
  }

  @Override
  public void delete(QdbmTable table, byte[] key) {
    table.delete(key);
  }

  @Override
  public boolean clear(QdbmTable table) {
    table.clear();
    return true;
  }

  @Override
  public long count(QdbmTable table) {
    return table.count();
  }

  @Override
  public long estimateCount(QdbmTable table) {
    return table.count();
  }

  @Override
  public void compact(QdbmTable table) {
    table.compact();
  }

  @Override
  public void sync() {
    if (config.readOnly()) {
      return; // the library refuses, and there is nothing of ours to sync
    }
    opened.values().forEach(QdbmTable::sync);
    try {
      Sync.force(config.directory());
    } catch (IOException e) {
      throw io("syncing", config.directory(), e);
    }
  }

  /** All of them, whatever goes wrong with one. */
  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    StadiumException failure = null;
    for (QdbmTable table : opened.values()) {
      try {
        table.close();
      } catch (StadiumException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
