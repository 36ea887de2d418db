package io.kvstadium.engine.memory;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.NamedTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One volatile root, and a lock that writers take in turn. */
final class MemoryStore implements RootReader, EngineStore<NamedTable> {
  private final ReentrantLock writers = new ReentrantLock();
  private volatile Root root = Root.EMPTY;

  @Override
  public Root root() {
    return root;
  }

  /** Swaps the root for a changed one; if {@code change} throws, nothing happened. */
  void update(UnaryOperator<Root> change) {
    writers.lock();
    try {
      root = change.apply(root);
    } finally {
      writers.unlock();
    }
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) {
    update(now -> now.with(List.of(new Write<>(table, key, value))));
  }

  @Override
  public void delete(NamedTable table, byte[] key) {
    update(now -> now.with(List.of(new Write<>(table, key, null))));
  }

  @Override
  public void write(List<Write<NamedTable>> writes) {
    update(now -> now.with(writes));
  }

  @Override
  public EngineTransaction<NamedTable> begin(TransactionMode mode, Duration lockTimeout) {
    return switch (mode) {
      case OPTIMISTIC -> new OptimisticTransaction(this);
      case PESSIMISTIC -> {
        Locks.lock(writers, lockTimeout, "engine memory");
        yield new PessimisticTransaction(this, writers);
      }
    };
  }

  @Override
  public EngineSnapshot<NamedTable> snapshot() {
    return new MemorySnapshot(root);
  }

  @Override
  public Set<String> tables() {
    return root.tables().keySet();
  }

  @Override
  public @Nullable NamedTable openTable(String name, Options options, boolean create) {
    NamedTable table = new NamedTable(name);
    if (root.tables().containsKey(name)) {
      return table;
    }
    if (!create) {
      return null;
    }
    update(now -> now.cleared(table));
    return table;
  }

  @Override
  public void dropTable(NamedTable table) {
    update(now -> now.without(table));
  }

  @Override
  public long delete(NamedTable table, Range<byte[]> range) {
    long[] count = new long[1];
    update(now -> {
      Root after = now.with(List.of(Write.delete(table, range)));
      count[0] = (long) now.entries(table).size() - after.entries(table).size();
      return after;
    });
    return count[0];
  }

  @Override
  public boolean clear(NamedTable table) {
    update(now -> now.cleared(table));
    return true;
  }

  @Override
  public long count(NamedTable table) {
    return root.entries(table).size();
  }

  @Override
  public long estimateCount(NamedTable table) {
    return count(table);
  }

  @Override
  public void sync() {} // there is nothing that could survive anything

  @Override
  public Map<String, String> stats() {
    Root now = root;
    long entries = now.tables().values().stream().mapToLong(SortedEntries::size).sum();
    return Map.of("tables", "" + now.tables().size(), "entries", "" + entries);
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    root = Root.EMPTY;
  }
}
