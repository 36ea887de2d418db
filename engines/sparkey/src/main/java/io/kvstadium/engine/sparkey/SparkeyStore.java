package io.kvstadium.engine.sparkey;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.OwnThread;
import io.kvstadium.store.engine.help.Sync;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The tables, and the loads that renew them. */
final class SparkeyStore extends GenerationReader implements EngineStore<SparkeyTable> {
  private final Durability durability;
  private final Map<String, SparkeyTable> tables = new ConcurrentHashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();
  private final ReentrantLock replacing =
      new ReentrantLock(); // a snapshot sees all tables before or all after

  SparkeyStore(StoreConfig config) throws IOException {
    super(new Layout(config.directory()));
    this.durability = config.durability();
    Map<String, Layout.Pair> pairs =
        config.adopt() ? Layout.foreign(config.directory()) : layout.newest();
    try {
      for (Layout.Pair pair : pairs.values()) {
        Options options = config.tableOptions(pair.table());
        try {
          tables.put(
              pair.table(), new SparkeyTable(pair.table(), options, new Generation(pair.base())));
        } catch (CorruptException e) {
          if (!config.adopt()) {
            throw e;
          }
          unreadable.put(pair.table(), String.valueOf(e.getMessage()));
        }
        lastNumber.accumulateAndGet(pair.number(), Math::max);
      }
      if (!config.readOnly()) {
        layout.removeAllBut(pairs.values());
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  Generation generation(SparkeyTable table) {
    return table.present;
  }

  @Override
  public long count(SparkeyTable table) {
    return table.present.entries();
  }

  @Override
  public long estimateCount(SparkeyTable table) {
    return count(table);
  }

  @Override
  public void put(SparkeyTable table, byte[] key, byte[] value) {
    throw new UnsupportedOperationException("put");
  }

  @Override
  public void delete(SparkeyTable table, byte[] key) {
    throw new UnsupportedOperationException("delete");
  }

  @Override
  public Set<String> tables() {
    return tables.keySet();
  }

  @Override
  public Map<String, String> unreadable() {
    return unreadable;
  }

  @Override
  public @Nullable SparkeyTable openTable(String name, Options options, boolean create)
      throws IOException {
    SparkeyTable table = tables.get(name);
    if (table == null && create) {
      File base = layout.base(name, lastNumber.incrementAndGet());
      table =
          new SparkeyTable(name, options, write(base, options, null, Collections.emptyIterator()));
      tables.put(name, table);
    }
    return table;
  }

  @Override
  public void bulkLoad(SparkeyTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws IOException {
    table.loading.lock();
    try {
      if (!entries.hasNext()) {
        return;
      }
      Generation old = table.present;
      File base = layout.base(table.name(), lastNumber.incrementAndGet());
      Generation next = write(base, table.options, old.entries() == 0 ? null : old, entries);
      replacing.lock();
      try {
        table.present = next;
      } finally {
        replacing.unlock();
      }
      unpin(old);
    } finally {
      table.loading.unlock();
    }
  }

  /**
   * Writes a generation and publishes it. Its log holds only live entries: one with replaced
   * entries is written a second time without them.
   *
   * @param old what is there already and must also be in the new one
   */
  private Generation write(
      File base, Options options, @Nullable Generation old, Iterator<Entry<byte[], byte[]>> entries)
      throws IOException {
    try (Draft draft = new Draft(new File(base + ".draft1"), options)) {
      draft.add(entries);
      // the rest maps files, which an interrupt would close half-way
      return OwnThread.once("sparkey", () -> finish(draft, base, options, old));
    }
  }

  private Generation finish(Draft draft, File base, Options options, @Nullable Generation old)
      throws IOException {
    draft.finish(old == null && durability == Durability.POWER);
    if (old == null && draft.isLive()) {
      return publish(draft, base);
    }
    try (Draft merged = new Draft(new File(base + ".draft2"), options)) {
      merged.merge(old == null ? null : old.base(), draft.base());
      merged.finish(durability == Durability.POWER);
      return publish(merged, base);
    }
  }

  private Generation publish(Draft draft, File base) throws IOException {
    layout.publish(draft.base(), base, durability == Durability.POWER);
    return new Generation(base);
  }

  @Override
  public void dropTable(SparkeyTable table) throws IOException {
    tables.remove(table.name());
    table.present.unpin();
    layout.removePair(table.present.base()); // even if pinned: no snapshot may be asked for it
    if (durability == Durability.POWER) {
      layout.forceNames();
    }
  }

  @Override
  public EngineSnapshot<SparkeyTable> snapshot() {
    Map<SparkeyTable, Generation> pinned = new HashMap<>();
    replacing.lock();
    try {
      for (SparkeyTable table : tables.values()) {
        Generation present = table.present;
        if (present.pin()) {
          pinned.put(table, present);
        }
      }
    } finally {
      replacing.unlock();
    }
    return new SparkeySnapshot(layout, pinned);
  }

  @Override
  public void sync() throws IOException {
    for (SparkeyTable table : tables.values()) {
      Generation present = table.present;
      if (durability != Durability.POWER && present.pin()) {
        try {
          Sync.force(Layout.log(present.base()));
          Sync.force(Layout.index(present.base()));
          layout.forceNames();
        } catch (IOException e) {
          if (tables.containsValue(table)) { // not dropped meanwhile together with its files
            throw e;
          }
        } finally {
          unpin(present);
        }
      }
    }
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return DamageException.classify(thrown);
  }

  @Override
  public Map<String, String> stats() {
    long entries = tables.values().stream().mapToLong(this::count).sum();
    return Map.of("tables", "" + tables.size(), "entries", "" + entries);
  }

  @Override
  public Map<String, Long> memory() throws IOException {
    long files = 0;
    for (Path file : layout.ours()) {
      files += file.toFile().length(); // 0 if a load has just removed it
    }
    return Map.of(StoreStatus.Memory.PAGE_CACHE, files);
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    tables.values().forEach(table -> table.present.unpin());
  }
}
