package io.kvstadium.store;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.internal.guard.EngineCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A whole engine of sorted maps for the library's own tests: small, slow and obvious. Each write
 * makes a new version of the maps, which nobody changes; a pessimistic transaction keeps all other
 * writers out.
 */
@SuppressWarnings("exports")
public final class FakeEngine implements Engine {
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.OPTIMISTIC_TRANSACTION,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SNAPSHOT,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  /** The names of the tables that were compacted, in order. */
  public final List<String> compacted = new ArrayList<>();

  /** The options that each table was opened with. */
  public final Map<String, Map<String, String>> tableOptions = new TreeMap<>();

  /** Run by each close of a cursor … */
  Runnable atCursorClose = () -> {};

  /** … and of a transaction, after its work. */
  Runnable atTransactionClose = () -> {};

  /** How often a cursor was moved on. */
  public int steps;

  /** Called by each sync. */
  public volatile Runnable atCompact = () -> {};

  public volatile Runnable atSync = () -> {};

  /** Called by each write inside a transaction, and by each put outside. */
  public EngineCall.Action atCall = () -> {};

  /** Run by the close of a store. */
  public EngineCall.Action atStoreClose = () -> {};

  /** How large things may be. */
  Limits limits = new Limits(1 << 16, 1 << 24);

  /** What its stores cannot do. */
  Set<Capability> lacks = Set.of();

  /** Whether it loads in bulk. */
  public boolean loads;

  /** Whether it removes ranges in one step. */
  boolean removesRanges;

  /** Whether it keeps what its stores hold when they are closed, as a server does. */
  boolean persistent;

  private final Map<String, FakeStore> kept = new ConcurrentHashMap<>();

  /** What a failure means. */
  public Function<Throwable, @Nullable Failure> classifier = _ -> null;

  /** One that can do all that the library has tests for. */
  public static FakeEngine complete() {
    FakeEngine engine = new FakeEngine();
    engine.loads = true;
    engine.removesRanges = true;
    engine.persistent = true;
    return engine;
  }

  static Store openStore() {
    return openStore("fake:");
  }

  static Store openStore(String url) {
    return new FakeEngine().openHere(url);
  }

  public Store openHere(String url) {
    return Engines.of(List.of(this)).open(url, OpenOptions.DEFAULT);
  }

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "fake",
        "Fake",
        "1",
        "Apache-2.0",
        "Sorted maps for tests.",
        "Part of these tests.",
        false,
        capabilities(),
        limits,
        Map.of(Durability.NONE, DurabilityMapping.none("memory")),
        List.of(
            Declarations.option("cache | size 1..1t | store | 8m | Does nothing."),
            Declarations.option("auto_compaction | bool | table | true | Does nothing.")),
        List.of(),
        false);
  }

  private Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.copyOf(CAPABILITIES);
    if (loads) {
      all.add(Capability.BULK_LOAD);
    }
    if (removesRanges) {
      all.add(Capability.RANGE_DELETE);
    }
    if (persistent) {
      all.add(Capability.PERSISTENT);
    }
    all.removeAll(lacks);
    return all;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return kept.containsKey(config.location());
  }

  @Override
  public void destroy(StoreConfig config) {
    kept.remove(config.location());
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return persistent
        ? kept.computeIfAbsent(config.location(), _ -> new FakeStore())
        : new FakeStore();
  }

  private record FakeTable(String name) implements EngineTable {}

  /** One version of all tables; nobody changes it. */
  private record Version(Map<String, NavigableMap<byte[], byte[]>> tables) {
    NavigableMap<byte[], byte[]> of(FakeTable table) {
      return tables.getOrDefault(table.name(), NONE);
    }

    Version with(List<Write<FakeTable>> writes) {
      Map<String, NavigableMap<byte[], byte[]>> changed = new TreeMap<>(tables);
      writes.stream()
          .map(write -> write.table().name())
          .distinct()
          .forEach(
              name -> // one that was made since this version has none of its entries
              changed.put(name, new TreeMap<>(changed.getOrDefault(name, NONE))));
      for (Write<FakeTable> write : writes) {
        NavigableMap<byte[], byte[]> entries = changed.get(write.table().name());
        byte[] value = write.value();
        Range<byte[]> range = write.range();
        if (range != null) {
          entries.keySet().removeIf(range::contains);
        } else if (value == null) {
          entries.remove(write.key());
        } else {
          entries.put(write.key().clone(), value.clone());
        }
      }
      return new Version(changed);
    }

    Version with(String table, @Nullable NavigableMap<byte[], byte[]> entries) {
      Map<String, NavigableMap<byte[], byte[]>> changed = new TreeMap<>(tables);
      if (entries == null) {
        changed.remove(table);
      } else {
        changed.put(table, entries);
      }
      return new Version(changed);
    }
  }

  private static final NavigableMap<byte[], byte[]> NONE =
      Collections.unmodifiableNavigableMap(new TreeMap<>(Arrays::compareUnsigned));

  /** Reads of one state of all tables. */
  private abstract class Reader implements EngineReader<FakeTable> {
    abstract Version version();

    @Override
    public byte @Nullable [] get(FakeTable table, byte[] key) {
      byte[] value = version().of(table).get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public EngineCursor cursor(FakeTable table, Range<byte[]> range) {
      NavigableMap<byte[], byte[]> found = version().of(table);
      byte[] from = range.from();
      byte[] to = range.to();
      found = from == null ? found : found.tailMap(from, range.fromInclusive());
      found = to == null ? found : found.headMap(to, range.toInclusive());
      return new FakeCursor(range.reversed() ? found.descendingMap() : found);
    }
  }

  private final class FakeCursor implements EngineCursor {
    private final Iterator<Map.Entry<byte[], byte[]>> entries;
    private Map.@Nullable Entry<byte[], byte[]> current;

    FakeCursor(Map<byte[], byte[]> entries) {
      this.entries = entries.entrySet().iterator();
    }

    @Override
    public boolean next() {
      steps++;
      current = entries.hasNext() ? entries.next() : null;
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

    @Override
    public void close() {
      atCursorClose.run();
    }

    private Map.Entry<byte[], byte[]> current() {
      if (current == null) {
        throw new IllegalStateException("before the first or behind the last entry");
      }
      return current;
    }
  }

  private final class FakeSnapshot extends Reader implements EngineSnapshot<FakeTable> {
    private final Version version;

    FakeSnapshot(Version version) {
      this.version = version;
    }

    @Override
    Version version() {
      return version;
    }

    @Override
    public void close() {}
  }

  private final class FakeStore extends Reader implements EngineStore<FakeTable> {
    private final ReentrantLock writers = new ReentrantLock();
    private volatile Version version = new Version(Map.of());

    @Override
    Version version() {
      return version;
    }

    private void change(UnaryOperator<Version> change) {
      writers.lock();
      try {
        version = change.apply(version);
      } finally {
        writers.unlock();
      }
    }

    @Override
    public Set<Capability> capabilities() {
      return FakeEngine.this.capabilities();
    }

    @Override
    public void bulkLoad(FakeTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
      List<Write<FakeTable>> writes = new ArrayList<>();
      entries.forEachRemaining(entry -> writes.add(new Write<>(table, entry.key(), entry.value())));
      change(now -> now.with(writes));
    }

    @Override
    public @Nullable Failure classify(Throwable thrown) {
      return classifier.apply(thrown);
    }

    @Override
    public Set<String> tables() {
      return Set.copyOf(version.tables().keySet());
    }

    @Override
    public @Nullable FakeTable openTable(String name, Options options, boolean create) {
      if (!create && !version.tables().containsKey(name)) {
        return null;
      }
      tableOptions.put(name, options.given());
      if (create) {
        change(now -> now.tables().containsKey(name) ? now : now.with(name, NONE));
      }
      return new FakeTable(name);
    }

    @Override
    public void dropTable(FakeTable table) {
      change(now -> now.with(table.name(), null));
    }

    @Override
    public void put(FakeTable table, byte[] key, byte[] value) throws Exception {
      atCall.run();
      write(List.of(new Write<>(table, key, value)));
    }

    @Override
    public void delete(FakeTable table, byte[] key) {
      write(List.of(new Write<>(table, key, null)));
    }

    @Override
    public long delete(FakeTable table, Range<byte[]> range) {
      writers.lock();
      try {
        int before = version.of(table).size();
        write(List.of(Write.delete(table, range)));
        return before - (long) version.of(table).size();
      } finally {
        writers.unlock();
      }
    }

    @Override
    public void write(List<Write<FakeTable>> writes) {
      change(now -> now.with(writes));
    }

    @Override
    public EngineTransaction<FakeTable> begin(TransactionMode mode, Duration lockTimeout) {
      boolean locking = mode == TransactionMode.PESSIMISTIC;
      if (locking) {
        Locks.lock(writers, lockTimeout, "engine fake");
      }
      return new FakeTransaction(this, locking);
    }

    @Override
    public FakeSnapshot snapshot() {
      return new FakeSnapshot(version);
    }

    @Override
    public long estimateCount(FakeTable table) {
      return version.of(table).size();
    }

    @Override
    public void compact(FakeTable table) {
      compacted.add(table.name());
      atCompact.run();
    }

    @Override
    public void sync() {
      atSync.run();
    }

    @Override
    public void close() throws Exception {
      atStoreClose.run();
    }
  }

  private final class FakeTransaction extends Reader implements EngineTransaction<FakeTable> {
    private final FakeStore store;
    private final boolean locking;
    private final Version begun;
    private final List<Write<FakeTable>> writes = new ArrayList<>();
    private Version own;

    FakeTransaction(FakeStore store, boolean locking) {
      this.store = store;
      this.locking = locking;
      this.begun = store.version;
      this.own = begun;
    }

    @Override
    Version version() {
      return own;
    }

    @Override
    public void put(FakeTable table, byte[] key, byte[] value) throws Exception {
      add(new Write<>(table, key.clone(), value.clone()));
    }

    @Override
    public void delete(FakeTable table, byte[] key) throws Exception {
      add(new Write<>(table, key.clone(), null));
    }

    private void add(Write<FakeTable> write) throws Exception {
      atCall.run();
      writes.add(write);
      own = own.with(List.of(write));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // each write makes another version
    public void commit() {
      store.change(now -> {
        if (now != begun) {
          throw new ConflictException("something was written since the begin");
        }
        return now.with(writes);
      });
    }

    @Override
    public void close() {
      if (locking) {
        store.writers.unlock();
      }
      atTransactionClose.run();
    }
  }
}
