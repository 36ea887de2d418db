package io.kvstadium.store;

import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineReader;
import io.kvstadium.store.spi.EngineSnapshot;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import io.kvstadium.store.spi.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A whole engine of sorted maps for the library's own tests: small, slow and obvious. Reads and
 * cursors work on copies; a pessimistic transaction locks everything.
 */
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
  final List<String> compacted = new ArrayList<>();

  /** The options that each table was opened with. */
  final Map<String, Map<String, String>> tableOptions = new TreeMap<>();

  /** Run by each close of a cursor … */
  Runnable atCursorClose = () -> {};

  /** … and of a transaction, after its work. */
  Runnable atTransactionClose = () -> {};

  /** How often a cursor was moved on. */
  int steps;

  /** Called by each sync. */
  volatile Runnable atSync = () -> {};

  /** Called by each write inside a transaction, and by each put outside. */
  EngineCall.Action atCall = () -> {};

  /** How large things may be. */
  Limits limits = new Limits(1 << 16, 1 << 24);

  /** What its stores cannot do. */
  Set<Capability> lacks = Set.of();

  /** Whether its tables compare and write on their own. */
  boolean conditional;

  /** Called by each exchange, before it looks. */
  EngineCall.Action atExchange = () -> {};

  /** Whether it loads in bulk. */
  boolean loads;

  /** What a failure means. */
  Function<Throwable, @Nullable Failure> classifier = _ -> null;

  static Store openStore() {
    return openStore("fake:");
  }

  static Store openStore(String url) {
    return new FakeEngine().openHere(url);
  }

  Store openHere(String url) {
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
        CAPABILITIES,
        limits,
        Map.of(Durability.NONE, DurabilityMapping.none("memory")),
        List.of(
            OptionSpec.size("cache", OptionSpec.Scope.STORE, "8m", "1", "1t", "Does nothing."),
            OptionSpec.bool("auto_compaction", OptionSpec.Scope.TABLE, "true", "Does nothing.")),
        List.of());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new FakeStore();
  }

  private record FakeTable(String name, FakeStore store, boolean isConditional)
      implements EngineTable {}

  /** Reads of one state of all tables. */
  private abstract class Reader implements EngineReader<FakeTable> {
    abstract NavigableMap<byte[], byte[]> entries(FakeTable table);

    @Override
    public byte @Nullable [] get(FakeTable table, byte[] key) {
      byte[] value = entries(table).get(key);
      return value == null ? null : value.clone();
    }

    @Override
    public EngineCursor cursor(FakeTable table, Range range) {
      NavigableMap<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
      entries(table)
          .forEach((key, value) -> {
            if (range.contains(key)) {
              found.put(key, value);
            }
          });
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
    private final Map<String, NavigableMap<byte[], byte[]>> state;

    FakeSnapshot(Map<String, NavigableMap<byte[], byte[]>> state) {
      this.state = state;
    }

    @Override
    NavigableMap<byte[], byte[]> entries(FakeTable table) {
      return state.computeIfAbsent(table.name(), _ -> new TreeMap<>(Arrays::compareUnsigned));
    }

    @Override
    public void close() {}
  }

  private final class FakeStore extends Reader implements EngineStore<FakeTable> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, NavigableMap<byte[], byte[]>> state = new TreeMap<>();
    private long version;

    @Override
    NavigableMap<byte[], byte[]> entries(FakeTable table) {
      lock.lock();
      try {
        return new TreeMap<>(state.get(table.name()));
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Set<Capability> capabilities() {
      Set<Capability> all = EnumSet.copyOf(CAPABILITIES);
      if (loads) {
        all.add(Capability.BULK_LOAD);
      }
      all.removeAll(lacks);
      return all;
    }

    @Override
    public Durability durability() {
      return Durability.NONE;
    }

    @Override
    public void load(FakeTable table, Iterator<Entry> entries, boolean sorted) throws Exception {
      while (entries.hasNext()) {
        Entry entry = entries.next();
        put(table, entry.key(), entry.value());
      }
    }

    @Override
    public @Nullable Failure classify(Throwable thrown) {
      return classifier.apply(thrown);
    }

    @Override
    public Set<String> tables() {
      return Set.copyOf(state.keySet());
    }

    @Override
    public FakeTable openTable(String name, Options options, boolean create) {
      tableOptions.put(name, options.given());
      state.computeIfAbsent(name, _ -> new TreeMap<>(Arrays::compareUnsigned));
      return new FakeTable(name, this, conditional);
    }

    @Override
    public void dropTable(FakeTable table) {
      state.remove(table.name());
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
    public boolean exchange(
        FakeTable table, byte[] key, byte @Nullable [] expected, byte @Nullable [] value)
        throws Exception {
      atExchange.run();
      boolean same = Arrays.equals(get(table, key), expected);
      if (same) {
        write(List.of(new Write<>(table, key, value)));
      }
      return same;
    }

    @Override
    public void write(List<Write<FakeTable>> writes) {
      lock.lock();
      try {
        version++;
        for (Write<FakeTable> write : writes) {
          byte[] value = write.value();
          if (value == null) {
            state.get(write.table().name()).remove(write.key());
          } else {
            state.get(write.table().name()).put(write.key().clone(), value.clone());
          }
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public EngineTransaction<FakeTable> begin(TransactionMode mode, Duration lockTimeout) {
      boolean locking = mode == TransactionMode.PESSIMISTIC;
      try {
        if (locking && !lock.tryLock(lockTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new ConflictException("another transaction holds the lock");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ConflictException("interrupted", e);
      }
      return new FakeTransaction(this, locking);
    }

    @Override
    public FakeSnapshot snapshot() {
      lock.lock();
      try {
        Map<String, NavigableMap<byte[], byte[]>> copy = new TreeMap<>();
        state.forEach((name, entries) -> copy.put(name, new TreeMap<>(entries)));
        return new FakeSnapshot(copy);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public long estimateCount(FakeTable table) {
      return entries(table).size();
    }

    @Override
    public void compact(FakeTable table) {
      compacted.add(table.name());
    }

    @Override
    public void sync() {
      atSync.run();
    }

    @Override
    public void close() {}
  }

  private final class FakeTransaction extends Reader implements EngineTransaction<FakeTable> {
    private final FakeStore store;
    private final boolean locking;
    private final FakeSnapshot view;
    private final long begun;
    private final List<Write<FakeTable>> writes = new ArrayList<>();

    FakeTransaction(FakeStore store, boolean locking) {
      this.store = store;
      this.locking = locking;
      store.lock.lock();
      try {
        this.view = store.snapshot();
        this.begun = store.version;
      } finally {
        store.lock.unlock();
      }
    }

    @Override
    NavigableMap<byte[], byte[]> entries(FakeTable table) {
      return view.entries(table);
    }

    @Override
    public void put(FakeTable table, byte[] key, byte[] value) throws Exception {
      atCall.run();
      writes.add(new Write<>(table, key, value));
      entries(table).put(key, value);
    }

    @Override
    public void delete(FakeTable table, byte[] key) throws Exception {
      atCall.run();
      writes.add(new Write<>(table, key, null));
      entries(table).remove(key);
    }

    @Override
    public void commit() {
      store.lock.lock();
      try {
        if (store.version != begun) {
          throw new ConflictException("something was written since the begin");
        }
        store.write(writes);
      } finally {
        store.lock.unlock();
      }
    }

    @Override
    public void close() {
      if (locking) {
        store.lock.unlock();
      }
      atTransactionClose.run();
    }
  }
}
