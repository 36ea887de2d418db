package io.kvstadium.engine.qdbm;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Sync;
import io.kvstadium.store.engine.help.TableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A directory of tables. */
final class QdbmStore implements EngineStore<Villa> {
  private final StoreConfig config;
  private final TableFiles files;
  private final Map<String, Villa> opened = new ConcurrentHashMap<>();

  QdbmStore(StoreConfig config) {
    this.config = config;
    this.files = QdbmEngine.files(config);
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return QdbmException.classify(config, thrown);
  }

  @Override
  public Set<String> tables() throws IOException {
    return files.tables();
  }

  @Override
  public @Nullable Villa openTable(String name, Options options, boolean create) {
    if (!create && !Files.exists(files.of(name))) {
      return null;
    }
    Villa table = Villa.open(config, name);
    opened.put(name, table);
    return table;
  }

  @Override
  public void dropTable(Villa table) throws IOException {
    opened.remove(table.name());
    table.close();
    Files.delete(files.of(table.name()));
  }

  @Override
  public byte @Nullable [] get(Villa table, byte[] key) {
    return table.get(key);
  }

  @Override
  public boolean contains(Villa table, byte[] key) {
    return table.contains(key);
  }

  @Override
  public EngineCursor cursor(Villa table, Range<byte[]> range) {
    return new QdbmCursor(table, range);
  }

  @Override
  public void put(Villa table, byte[] key, byte[] value) {
    table.put(key, value);
  }

  @Override
  public void delete(Villa table, byte[] key) {
    table.delete(key);
  }

  @Override
  public boolean clear(Villa table) {
    table.clear();
    return true;
  }

  @Override
  public long count(Villa table) {
    return table.count();
  }

  @Override
  public long estimateCount(Villa table) {
    return table.count();
  }

  @Override
  public void compact(Villa table) {
    table.compact();
  }

  @Override
  public void sync() throws IOException {
    if (config.readOnly()) {
      return; // the library refuses, and we have nothing to sync
    }
    opened.values().forEach(Villa::sync);
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
    for (Villa table : opened.values()) {
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
