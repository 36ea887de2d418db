package io.kvstadium.engine.halodb;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import io.kvstadium.store.spi.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Passes calls on. */
final class HaloDbStore implements EngineStore<HaloDbTable> {
  private final Path directory;
  private final Set<Capability> capabilities;
  private final Durability durability;
  private final int maxKeyBytes;
  private final Failures failures;
  private final Object db;
  private final ReentrantLock cursors = new ReentrantLock();
  private int openCursors;

  HaloDbStore(StoreConfig config, Set<Capability> capabilities) {
    this.directory = config.directory();
    this.capabilities = capabilities;
    this.durability = config.durability();
    this.maxKeyBytes = HaloDbEngine.maxKeyBytes(config.options());
    this.failures = new Failures(directory);
    try {
      db =
          HaloDbApi.open(
              directory.toFile(),
              HaloDbApi.options(HaloDbEngine.settings(config, durability == Durability.POWER)));
    } catch (Throwable e) {
      throw failures.opening(e);
    }
  }

  @Override
  public byte @Nullable [] get(HaloDbTable table, byte[] key) {
    try {
      return HaloDbApi.get(db, key);
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  @Override
  public void put(HaloDbTable table, byte[] key, byte[] value) {
    try {
      HaloDbApi.put(db, key, value);
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  @Override
  public void delete(HaloDbTable table, byte[] key) {
    try {
      HaloDbApi.delete(db, key);
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  /** Compaction rests while there are cursors: they would miss the entries that it moves. */
  @Override
  public EngineCursor cursor(HaloDbTable table, Range range) {
    cursors.lock();
    try {
      if (openCursors == 0) {
        HaloDbApi.pauseCompaction(db);
      }
      HaloDbCursor cursor = new HaloDbCursor(HaloDbApi.iterator(db), failures, this::cursorClosed);
      openCursors++;
      return cursor;
    } catch (Throwable e) {
      throw failures.using(e);
    } finally {
      cursors.unlock();
    }
  }

  private void cursorClosed() {
    cursors.lock();
    try {
      openCursors--;
      if (openCursors == 0) {
        HaloDbApi.resumeCompaction(db);
      }
    } catch (Throwable e) {
      throw failures.using(e);
    } finally {
      cursors.unlock();
    }
  }

  @Override
  public long count(HaloDbTable table) {
    try {
      return HaloDbApi.size(db);
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  @Override
  public long estimateCount(HaloDbTable table) {
    return count(table);
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public HaloDbTable openTable(String name, Options options, boolean create) {
    return new HaloDbTable(name);
  }

  /** HaloDB has no call for it, but a file is flushed through any of its handles. */
  @Override
  public void sync() {
    if (durability == Durability.POWER) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(HaloDbEngine::isData).toList()) {
        force(file);
      }
      force(directory);
    } catch (IOException e) {
      throw failures.flushing(e);
    }
  }

  private static void force(Path file) throws IOException {
    try {
      Sync.force(file);
    } catch (NoSuchFileException e) {
      return; // compacted meanwhile, and what it held was flushed before
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  /**
   * A value of length 0 is damage to the repair after an abnormal end, which drops what follows.
   */
  @Override
  public Limits limits() {
    boolean repairs = durability != Durability.NONE && durability != Durability.ENGINE_DEFAULT;
    return new Limits(maxKeyBytes, HaloDbEngine.LIMITS.maxValueBytes(), repairs ? 1 : 0);
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public Map<String, String> stats() {
    try {
      Map<String, String> figures = new TreeMap<>();
      HaloDbApi.stats(db).forEach((name, value) -> figures.put("" + name, "" + value));
      return figures;
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  @Override
  public void close() {
    try {
      HaloDbApi.close(db);
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }
}
