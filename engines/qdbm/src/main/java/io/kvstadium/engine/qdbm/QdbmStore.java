package io.kvstadium.engine.qdbm;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Sync;
import io.kvstadium.store.engine.TableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A directory of tables. */
final class QdbmStore implements EngineStore<QdbmTable> {
  private final StoreConfig config;
  private final TableFiles files;
  private final Set<Capability> capabilities;
  private final Map<String, QdbmTable> opened = new ConcurrentHashMap<>();

  QdbmStore(StoreConfig config, Set<Capability> capabilities) throws IOException {
    this.config = config;
    this.files = QdbmEngine.files(config);
    this.capabilities = capabilities;
    String other = QdbmEngine.isTree(config) ? QdbmEngine.DEPOT : QdbmEngine.VILLA;
    if (!new TableFiles(config.directory(), other).tables().isEmpty()) {
      throw new BadArgumentException(
          ("engine qdbm: %s holds files *%s: open it with the other type, or choose"
                  + " another directory")
              .formatted(config.directory(), other));
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return QdbmException.classify(config, thrown);
  }

  @Override
  public Durability durability() {
    return config.durability(); // each of the two is given as asked
  }

  @Override
  public Set<String> tables() throws IOException {
    return files.tables();
  }

  @Override
  public @Nullable QdbmTable openTable(String name, Options options, boolean create) {
    if (!create && !Files.exists(files.of(name))) {
      return null;
    }
    QdbmTable table = QdbmTable.open(config, name);
    opened.put(name, table);
    return table;
  }

  @Override
  public void dropTable(QdbmTable table) throws IOException {
    opened.remove(table.name());
    table.close();
    Files.delete(files.of(table.name()));
  }

  @Override
  public byte @Nullable [] get(QdbmTable table, byte[] key) {
    return table.get(key);
  }

  @Override
  public boolean contains(QdbmTable table, byte[] key) {
    return table.exists(key);
  }

  @Override
  public EngineCursor cursor(QdbmTable table, Range<byte[]> range) {
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
  public void sync() throws IOException {
    if (config.readOnly()) {
      return; // the library refuses, and we have nothing to sync
    }
    opened.values().forEach(QdbmTable::sync);
    Sync.force(config.directory());
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  /** Closes all tables, even if one of them fails. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (QdbmTable table : opened.values()) {
      try {
        table.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
