package io.kvstadium.engine.memory;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Locks;
import io.kvstadium.store.engine.help.NamedTable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A {@link MemoryStore} whose changes go to a log, under a lock so that both have one order. */
final class FaultyStore implements EngineStore<NamedTable> {
  final MemoryStore memory = new MemoryStore();
  final Fault fault;
  private static final int MOST_BYTES = 0xffff;
  private static final int MOST_ENTRIES = 64;

  private final ReentrantLock writers = new ReentrantLock();
  private final WriteLog log;
  private final List<byte[]> buffered = new ArrayList<>();

  FaultyStore(Path path, Fault fault) throws IOException {
    this.fault = fault;
    WriteLog.replay(path, this::replay);
    this.log = new WriteLog(path);
  }

  private void replay(WriteLog.Entry entry) {
    NamedTable table = entry.writes().getFirst().table();
    switch (entry.kind()) {
      case WRITES -> memory.write(entry.writes());
      case MAKE_TABLE, CLEAR_TABLE -> memory.clear(table);
      case DROP_TABLE -> memory.dropTable(table);
    }
  }

  private void log(WriteLog.Kind kind, List<Write<NamedTable>> writes) {
    buffered.add(WriteLog.record(new WriteLog.Entry(kind, writes)));
    boolean buffers =
        fault == Fault.BUFFERS_WHAT_IT_ACKNOWLEDGED || fault == Fault.LOSES_THE_LAST_WRITE_AT_CLOSE;
    if (!buffers || buffered.size() > 16) {
      flush();
    }
  }

  private void flush() {
    buffered.forEach(log::append);
    buffered.clear();
  }

  private void logTable(WriteLog.Kind kind, NamedTable table) {
    log(kind, List.of(new Write<>(table, new byte[0], null)));
  }

  /** An action of the engine. */
  private interface Change<E extends Exception> {
    void run() throws E;
  }

  private <E extends Exception> void locked(Change<E> change) throws E {
    writers.lock();
    try {
      change.run();
    } finally {
      writers.unlock();
    }
  }

  private NamedTable place(NamedTable table) {
    return fault == Fault.MIXES_TABLES_UP ? new NamedTable("default") : table;
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) {
    if (fault == Fault.SWALLOWS_INTERRUPTS) {
      Thread.interrupted();
    }
    boolean cut = fault == Fault.CUTS_LONG_VALUES && value.length > MOST_BYTES;
    apply(List.of(new Write<>(place(table), key, cut ? Arrays.copyOf(value, MOST_BYTES) : value)));
  }

  @Override
  public void delete(NamedTable table, byte[] key) {
    apply(List.of(new Write<>(place(table), key, null)));
  }

  @Override
  public void write(List<Write<NamedTable>> writes) {
    if (fault == Fault.SPLITS_BATCHES) {
      for (Write<NamedTable> write : writes) {
        apply(List.of(write));
        LockSupport.parkNanos(1_000); // for a snapshot to come between
      }
    } else {
      apply(
          switch (fault) {
            case REVERSES_BATCHES -> writes.reversed();
            case KEEPS_THE_FIRST_OF_A_BATCH -> firstOfEach(writes);
            default -> writes;
          });
    }
  }

  private static List<Write<NamedTable>> firstOfEach(List<Write<NamedTable>> writes) {
    Set<String> seen = new HashSet<>();
    return writes.stream()
        .filter(write ->
            write.range() != null || seen.add(write.table().name() + Arrays.toString(write.key())))
        .toList();
  }

  @Override
  public long delete(NamedTable table, Range<byte[]> range) {
    long[] count = new long[1];
    locked(() -> {
      long before = memory.count(place(table));
      apply(List.of(Write.delete(place(table), range)));
      count[0] = before - memory.count(place(table));
    });
    return fault == Fault.COUNTS_DELETED_RANGES_AS_ONE ? Math.min(count[0], 1) : count[0];
  }

  /** Replaces removals of ranges by those of their entries, since the log knows only entries. */
  private List<Write<NamedTable>> withoutRanges(List<Write<NamedTable>> asked) {
    List<Write<NamedTable>> writes = new ArrayList<>();
    List<Write<NamedTable>> late = new ArrayList<>();
    Root root = memory.root();
    for (Write<NamedTable> write : asked) {
      Range<byte[]> range = write.range();
      if (range == null) {
        writes.add(write);
        root = root.with(List.of(write));
        continue;
      }
      if (fault == Fault.DELETES_RANGES_INCLUSIVELY) {
        range = FaultyCursor.inclusive(range);
      }
      List<Write<NamedTable>> gone =
          fault == Fault.DELETES_RANGES_LAST && range.from() != null ? late : writes;
      root.scan(write.table(), range)
          .forEachRemaining(entry -> gone.add(new Write<>(write.table(), entry.getKey(), null)));
      root = root.with(List.of(write));
    }
    writes.addAll(late);
    return writes;
  }

  private void apply(List<Write<NamedTable>> asked) {
    locked(() -> {
      List<Write<NamedTable>> writes = withoutRanges(asked);
      if (fault == Fault.LOSES_DELETES) {
        writes.removeIf(write -> write.value() == null);
      }
      if (writes.isEmpty()) {
        return;
      }
      if (fault == Fault.KEEPS_CALLERS_ARRAYS) {
        writes.forEach(this::putWithoutCopy);
      } else {
        memory.write(writes);
      }
      logWrites(writes);
    });
  }

  private void putWithoutCopy(Write<NamedTable> write) {
    byte[] value = write.value();
    if (value != null) {
      String name = write.table().name();
      memory.update(now -> {
        Edit edit = now.entries(write.table()).edit();
        edit.put(write.key(), value);
        return new Root(now.tables().plus(name, edit.done()));
      });
    }
  }

  private void logWrites(List<Write<NamedTable>> writes) {
    if (fault == Fault.TEARS_BATCHES_AT_A_KILL && writes.size() > 1) {
      log(WriteLog.Kind.WRITES, writes.subList(0, 1)); // the rest never reaches the log
    } else {
      log(WriteLog.Kind.WRITES, writes);
    }
  }

  @Override
  public EngineTransaction<NamedTable> begin(TransactionMode mode, Duration timeout) {
    boolean pessimistic = mode == TransactionMode.PESSIMISTIC;
    boolean careless = fault == (pessimistic ? Fault.LOCKS_NOTHING : Fault.COMMITS_WITHOUT_CHECK);
    if (careless) {
      ReentrantLock ownLock = new ReentrantLock();
      ownLock.lock();
      return new FaultyTransaction(
          this, new PessimisticTransaction(memory, ownLock), () -> {}, memory.root());
    }
    if (!pessimistic) {
      return new FaultyTransaction(this, memory.begin(mode, timeout), () -> {}, memory.root());
    }
    Locks.lock(writers, timeout, "engine faulty");
    return new FaultyTransaction(this, memory.begin(mode, timeout), writers::unlock, memory.root());
  }

  /** Commits and logs in one order with all other changes. */
  void commit(EngineTransaction<NamedTable> transaction, List<Write<NamedTable>> writes)
      throws Exception {
    if (fault == Fault.LOCKS_NOTHING) {
      LockSupport.parkNanos(10_000); // for another to come between
    }
    locked(() -> {
      transaction.commit();
      if (!writes.isEmpty()) {
        logWrites(writes);
      }
    });
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) {
    return switch (fault) {
      case GIVES_ITS_OWN_ARRAYS -> memory.root().get(table, key);
      case EMPTY_VALUE_IS_MISSING -> {
        byte[] value = memory.get(table, key);
        yield value == null || value.length == 0 ? null : value;
      }
      default -> memory.get(place(table), key);
    };
  }

  @Override
  public <R> @Nullable R get(NamedTable table, byte[] key, ValueReader<R> reader) {
    byte[] value = get(table, key);
    if (value == null) {
      return null;
    }
    MemorySegment view = MemorySegment.ofArray(value);
    return reader.read(fault == Fault.WRITABLE_ZERO_COPY_VALUES ? view : view.asReadOnly());
  }

  @Override
  public int head(NamedTable table, byte[] key, byte[] into) throws Exception {
    int length = EngineStore.super.head(table, key, into);
    return fault == Fault.TAKES_THE_HEAD_FOR_ALL ? Math.min(length, into.length) : length;
  }

  @Override
  public byte[] @Nullable [] multiGet(NamedTable table, byte[][] keys) throws Exception {
    byte[] @Nullable [] values = EngineStore.super.multiGet(table, keys);
    Set<String> seen = new HashSet<>();
    for (int i = 0; fault == Fault.GIVES_EACH_OF_MANY_ONCE && i < keys.length; i++) {
      values[i] = seen.add(Arrays.toString(keys[i])) ? values[i] : null;
    }
    return values;
  }

  @Override
  public long count(NamedTable table) {
    long count = memory.count(place(table));
    return fault == Fault.MISCOUNTS_LARGE_TABLES ? Math.min(count, MOST_ENTRIES) : count;
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return FaultyCursor.of(fault, memory, place(table), range);
  }

  @Override
  public EngineSnapshot<NamedTable> snapshot() {
    return switch (fault) {
      case LIVE_SNAPSHOT -> new LiveSnapshot(memory);
      case LIVE_SNAPSHOT_OF_OTHER_TABLES -> new OneTableSnapshot(memory, memory.root());
      default -> memory.snapshot();
    };
  }

  /** Without the fault, the library reads a snapshot instead. */
  @Override
  public boolean backup(BackupTarget target) throws IOException {
    if (fault != Fault.BACKS_UP_TABLES_ONE_AFTER_THE_OTHER) {
      return false;
    }
    try (WriteLog copy = new WriteLog(target.directory().resolve("log"))) {
      for (String name : memory.tables()) {
        NamedTable table = new NamedTable(name);
        Root now = memory.root();
        copy.append(record(WriteLog.Kind.MAKE_TABLE, new Write<>(table, new byte[0], null)));
        now.entries(table)
            .scan(Range.all())
            .forEachRemaining(entry ->
                copy.append(
                    record(
                        WriteLog.Kind.WRITES,
                        new Write<>(table, entry.getKey(), entry.getValue()))));
        awaitChangeOf(now);
      }
    }
    return true;
  }

  private static byte[] record(WriteLog.Kind kind, Write<NamedTable> write) {
    return WriteLog.record(new WriteLog.Entry(kind, List.of(write)));
  }

  @SuppressWarnings("ReferenceEquality") // each change makes another root
  private void awaitChangeOf(Root root) {
    for (int i = 0; memory.root() == root && i < 10_000; i++) {
      LockSupport.parkNanos(100_000);
    }
  }

  private record LiveSnapshot(MemoryStore memory)
      implements RootReader, EngineSnapshot<NamedTable> {
    @Override
    public Root root() {
      return memory.root();
    }

    @Override
    public void close() {}
  }

  private record OneTableSnapshot(MemoryStore memory, Root then)
      implements RootReader, EngineSnapshot<NamedTable> {
    @Override
    public Root root() {
      NamedTable first = new NamedTable("default");
      return new Root(memory.root().tables().plus(first.name(), then.entries(first)));
    }

    @Override
    public void close() {}
  }

  @Override
  public Set<Capability> capabilities() {
    return FaultyEngine.CAPABILITIES;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    Kind conflict = fault == Fault.CLASSIFIES_CONFLICTS_WRONGLY ? Kind.OTHER : Kind.CONFLICT;
    return thrown instanceof FaultyTransaction.Lost
        ? new Failure(conflict, "another transaction was first", "try again")
        : null;
  }

  @Override
  public Set<String> tables() {
    return memory.tables();
  }

  @Override
  public @Nullable NamedTable openTable(String name, Options options, boolean create) {
    if (create && !memory.tables().contains(name)) {
      locked(() -> logTable(WriteLog.Kind.MAKE_TABLE, new NamedTable(name)));
    }
    return memory.openTable(name, options, create);
  }

  @Override
  public void dropTable(NamedTable table) {
    if (fault != Fault.KEEPS_DROPPED_TABLES) {
      locked(() -> {
        memory.dropTable(table);
        if (fault != Fault.FORGETS_DROPS_AT_CLOSE) {
          logTable(WriteLog.Kind.DROP_TABLE, table);
        }
      });
    }
  }

  @Override
  public boolean clear(NamedTable table) {
    locked(() -> {
      memory.clear(place(table));
      logTable(WriteLog.Kind.CLEAR_TABLE, place(table));
    });
    return true;
  }

  @Override
  public long estimateCount(NamedTable table) {
    return memory.count(place(table));
  }

  @Override
  public void sync() {}

  @Override
  public void close() {
    if (fault == Fault.LOSES_THE_LAST_WRITE_AT_CLOSE && !buffered.isEmpty()) {
      buffered.removeLast();
    }
    flush();
    log.close();
    memory.close();
  }
}
