package io.kvstadium.engine.halodb;

import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.NamedTable;
import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Passes calls on to HaloDB. */
final class HaloDbStore implements EngineStore<NamedTable> {
  private final Path directory;
  private final Durability durability;
  private final int maxKeyBytes;
  private final Object db;
  private final ReentrantLock cursors = new ReentrantLock();
  private int openCursors;

  HaloDbStore(StoreConfig config) throws Exception {
    this.directory = config.directory();
    this.durability = config.durability();
    this.maxKeyBytes = HaloDbEngine.maxKeyBytes(config.options());
    Map<String, Object> settings = HaloDbEngine.settings(config, durability == Durability.POWER);
    this.db = HaloDbApi.call(() -> HaloDbApi.open(directory.toFile(), HaloDbApi.options(settings)));
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return Failures.ofUsing(thrown);
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) throws Exception {
    try {
      return HaloDbApi.get(db, key);
    } catch (Throwable e) {
      throw HaloDbApi.thrown(e);
    }
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) throws Exception {
    HaloDbApi.run(() -> HaloDbApi.put(db, key, value));
  }

  @Override
  public void delete(NamedTable table, byte[] key) throws Exception {
    HaloDbApi.run(() -> HaloDbApi.delete(db, key));
  }

  /** Compaction pauses while there are cursors: they would miss the entries that it moves. */
  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) throws Exception {
    cursors.lock();
    try {
      if (openCursors == 0) {
        HaloDbApi.run(() -> HaloDbApi.pauseCompaction(db));
      }
      Iterator<?> entries = HaloDbApi.call(() -> HaloDbApi.iterator(db));
      openCursors++;
      return new HaloDbCursor(entries, this::cursorClosed);
    } finally {
      cursors.unlock();
    }
  }

  private void cursorClosed() throws Exception {
    cursors.lock();
    try {
      openCursors--;
      if (openCursors == 0) {
        HaloDbApi.run(() -> HaloDbApi.resumeCompaction(db));
      }
    } finally {
      cursors.unlock();
    }
  }

  @Override
  public long count(NamedTable table) throws Exception {
    return HaloDbApi.call(() -> HaloDbApi.size(db));
  }

  @Override
  public long estimateCount(NamedTable table) throws Exception {
    return count(table);
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public NamedTable openTable(String name, Options options, boolean create) {
    return new NamedTable(name);
  }

  /** HaloDB has no call for this, but a file is flushed through any of its handles. */
  @Override
  public void sync() throws IOException {
    if (durability == Durability.POWER) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(HaloDbEngine::isData).toList()) {
        force(file);
      }
      force(directory);
    }
  }

  private static void force(Path file) throws IOException {
    try {
      Sync.force(file);
    } catch (NoSuchFileException e) {
      return; // compacted meanwhile, and what it held was flushed before
    }
  }

  /**
   * After an abnormal end, the repair takes a value of length 0 for damage and drops what follows.
   */
  @Override
  public Limits limits() {
    boolean repairs = durability != Durability.NONE && durability != Durability.ENGINE_DEFAULT;
    return new Limits(maxKeyBytes, HaloDbEngine.INFO.limits().maxValueBytes(), repairs ? 1 : 0);
  }

  @Override
  public Map<String, String> stats() throws Exception {
    Map<String, String> figures = new TreeMap<>();
    HaloDbApi.call(() -> HaloDbApi.stats(db))
        .forEach((name, value) -> figures.put("" + name, "" + value));
    return figures;
  }

  @Override
  public void close() throws Exception {
    HaloDbApi.run(() -> HaloDbApi.close(db));
  }
}
