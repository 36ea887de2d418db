package io.kvstadium.store.internal.move;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.internal.guard.EngineCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Two stores that are one to the library: reads and writes go to the one that has the data, and
 * each write also notes what it changed, in one atomic step, for the follower that brings it to the
 * other. Which is which can change between any two calls; what began on a store ends there.
 */
public final class MovingStore implements EngineStore<MovedTable> {
  /**
   * Who has the data.
   *
   * @param other the store that follows, or {@code null} if it is not there
   * @param log {@code null} if nobody follows
   */
  record Roles(Side used, @Nullable Side other, @Nullable ChangeLog log) {}

  /** How transactions keep others away: what the application relies on is the same in both. */
  private static final Set<Capability> KINDS =
      EnumSet.of(Capability.OPTIMISTIC_TRANSACTION, Capability.PESSIMISTIC_TRANSACTION);

  /** Read-locked while something is written or a table is made; write-locked by a change-over. */
  final ReentrantReadWriteLock writers = new ReentrantReadWriteLock();

  private final Map<String, MovedTable> tables = new ConcurrentHashMap<>();
  private final Set<Capability> capabilities;
  private final Limits limits;
  private volatile Roles roles;
  private volatile @Nullable ShadowReads shadow;
  private @Nullable Runnable closing;

  /**
   * @param used has the data
   * @param other follows, or {@code null}
   * @param logged whether what is written is noted
   */
  public MovingStore(Side used, @Nullable Side other, boolean logged) {
    EnumSet<Capability> both = EnumSet.noneOf(Capability.class);
    both.addAll(used.capabilities);
    both.remove(Capability.ADOPT);
    Limits own = used.limits;
    if (other != null) {
      both.retainAll(other.capabilities);
      if (other.capabilities.contains(Capability.TRANSACTION)) { // perhaps of another kind
        used.capabilities.stream().filter(KINDS::contains).forEach(both::add);
      }
      own =
          new Limits(
              Math.min(own.maxKeyBytes(), other.limits.maxKeyBytes()),
              Math.min(own.maxValueBytes(), other.limits.maxValueBytes()),
              Math.max(own.minValueBytes(), other.limits.minValueBytes()));
    }
    this.capabilities = both;
    this.limits = own;
    this.roles = new Roles(used, other, logged ? new ChangeLog(used) : null);
  }

  /** What follows it: ends before the engines are closed. */
  void beforeClose(Runnable end) {
    closing = end;
  }

  Roles roles() {
    return roles;
  }

  /** Called while all writers wait: sets what {@link #exchange} needs, if this is used next. */
  void prepare(Side next) {
    for (MovedTable table : tables.values()) {
      table.handles[next.index] = next.made(table.name());
    }
  }

  /** Called while all writers wait. */
  void exchange(Roles now) {
    roles = now;
  }

  void shadow(@Nullable ShadowReads reads) {
    shadow = reads;
  }

  private static EngineTable handle(Side side, MovedTable table) {
    return table.handles[side.index];
  }

  private static List<Write<EngineTable>> translated(Side side, List<Write<MovedTable>> writes) {
    List<Write<EngineTable>> all = new ArrayList<>(writes.size() + 1);
    for (Write<MovedTable> write : writes) {
      all.add(new Write<>(handle(side, write.table()), write.key(), write.value(), write.range()));
    }
    return all;
  }

  // ---- reads

  @Override
  public byte @Nullable [] get(MovedTable table, byte[] key) throws Exception {
    Side used = roles.used;
    ShadowReads compared = shadow;
    if (compared == null || !compared.isNext()) {
      return used.store.get(handle(used, table), key);
    }
    long begun = System.nanoTime();
    byte[] value = used.store.get(handle(used, table), key);
    compared.add(table.name(), key, value, System.nanoTime() - begun);
    return value;
  }

  @Override
  public <R> @Nullable R get(MovedTable table, byte[] key, ValueReader<R> reader) throws Exception {
    Side used = roles.used;
    return used.store.get(handle(used, table), key, reader);
  }

  @Override
  public int head(MovedTable table, byte[] key, byte[] into) throws Exception {
    Side used = roles.used;
    return used.store.head(handle(used, table), key, into);
  }

  @Override
  public byte[] @Nullable [] multiGet(MovedTable table, byte[][] keys) throws Exception {
    Side used = roles.used;
    return used.store.multiGet(handle(used, table), keys);
  }

  @Override
  public boolean contains(MovedTable table, byte[] key) throws Exception {
    Side used = roles.used;
    return used.store.contains(handle(used, table), key);
  }

  @Override
  public EngineCursor cursor(MovedTable table, Range<byte[]> range) throws Exception {
    Side used = roles.used;
    return used.store.cursor(handle(used, table), range);
  }

  @Override
  public EngineSnapshot<MovedTable> snapshot() throws Exception {
    Side used = roles.used;
    return new MovedReader.OfSnapshot(used, used.store.snapshot());
  }

  @Override
  public long count(MovedTable table) throws Exception {
    Side used = roles.used;
    return used.store.count(handle(used, table));
  }

  @Override
  public long estimateCount(MovedTable table) throws Exception {
    Side used = roles.used;
    return used.store.estimateCount(handle(used, table));
  }

  // ---- writes

  /** Writes to the store that is used, which does not change meanwhile. */
  private <R extends @Nullable Object> R writing(Writing<R> step) throws Exception {
    writers.readLock().lock();
    try {
      return step.run(roles);
    } finally {
      writers.readLock().unlock();
    }
  }

  /** Something that is written. */
  private interface Writing<R extends @Nullable Object> {
    R run(Roles roles) throws Exception;
  }

  @Override
  public void put(MovedTable table, byte[] key, byte[] value) throws Exception {
    write(new Write<>(table, key, value));
  }

  @Override
  public void delete(MovedTable table, byte[] key) throws Exception {
    write(new Write<>(table, key, null));
  }

  private void write(Write<MovedTable> write) throws Exception {
    write(List.of(write));
  }

  @Override
  public void write(List<Write<MovedTable>> writes) throws Exception {
    Boolean _ =
        writing(now -> {
          List<Write<EngineTable>> all = translated(now.used, writes);
          if (now.log == null) {
            now.used.store.write(all);
          } else {
            now.log.write(all, writes.stream().map(MovingStore::change).toList());
          }
          return true;
        });
  }

  private static Change change(Write<MovedTable> write) {
    Range<byte[]> range = write.range();
    return range == null
        ? Change.entry(write.table().name(), write.key())
        : Change.range(write.table().name(), range);
  }

  @Override
  public long delete(MovedTable table, Range<byte[]> range) throws Exception {
    long count = 0;
    try (EngineCursor cursor = cursor(table, range.keysOnly())) {
      while (cursor.next()) {
        count++;
      }
    }
    write(Write.delete(table, range));
    return count;
  }

  @Override
  public boolean clear(MovedTable table) throws Exception {
    return ahead(
        Change.range(table.name(), Range.all()),
        now -> now.used.store.clear(handle(now.used, table)),
        null);
  }

  @Override
  public void bulkLoad(MovedTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws Exception {
    LoadedRange loaded = new LoadedRange(entries);
    boolean _ =
        ahead(
            Change.range(table.name(), Range.all()),
            now -> {
              now.used.store.bulkLoad(handle(now.used, table), loaded, sorted);
              return true;
            },
            () -> Change.range(table.name(), loaded.range()));
  }

  private <R> R ahead(Change change, Writing<R> step, @Nullable EngineCall<Change> then)
      throws Exception {
    return writing(
        now -> now.log == null ? step.run(now) : now.log.ahead(change, () -> step.run(now), then));
  }

  @Override
  public EngineTransaction<MovedTable> begin(TransactionMode mode, Duration lockTimeout)
      throws Exception {
    writers.readLock().lock(); // until it ends
    try {
      Roles now = roles;
      TransactionMode kind =
          now.used.capabilities.contains(mode.capability())
              ? mode
              : mode == TransactionMode.OPTIMISTIC
                  ? TransactionMode.PESSIMISTIC
                  : TransactionMode.OPTIMISTIC;
      return new MovedTransaction(
          now, now.used.store.begin(kind, lockTimeout), writers.readLock()::unlock);
    } catch (Throwable e) {
      writers.readLock().unlock();
      throw e;
    }
  }

  // ---- tables

  @Override
  public Set<String> tables() {
    return roles.used.names();
  }

  @Override
  public @Nullable MovedTable openTable(String name, Options options, boolean create)
      throws Exception {
    if (name.equals(Side.LOG)) {
      throw new BadArgumentException(
          "table " + name + " belongs to the move of this store: give yours another name");
    }
    writers.readLock().lock();
    try {
      Side used = roles.used;
      EngineTable opened = used.open(name, create);
      if (opened == null) {
        return null;
      }
      MovedTable table = new MovedTable(name);
      table.handles[used.index] = opened;
      tables.put(name, table);
      return table;
    } finally {
      writers.readLock().unlock();
    }
  }

  @Override
  public void dropTable(MovedTable table) throws Exception {
    boolean _ =
        ahead(
            Change.whole(table.name()),
            now -> {
              now.used.drop(table.name());
              tables.remove(table.name());
              return true;
            },
            null);
  }

  @Override
  public void compact(MovedTable table) throws Exception {
    Side used = roles.used;
    used.store.compact(handle(used, table));
  }

  // ---- the store

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public String identity() throws Exception {
    return roles.used.store.identity();
  }

  @Override
  public long diskReserve() throws Exception {
    return roles.used.store.diskReserve();
  }

  @Override
  public void sync() throws Exception {
    roles.used.store.sync();
  }

  @Override
  public Map<String, String> stats() throws Exception {
    return roles.used.store.stats();
  }

  @Override
  public Map<String, Long> memory() throws Exception {
    return roles.used.store.memory();
  }

  @Override
  public @Nullable BackgroundWork background() throws Exception {
    return roles.used.store.background();
  }

  @Override
  public @Nullable WriteStalls stalls() throws Exception {
    return roles.used.store.stalls();
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    Roles now = roles;
    Failure failure = now.used.store.classify(thrown);
    return failure != null || now.other == null ? failure : now.other.store.classify(thrown);
  }

  @Override
  public void close() {
    Runnable end = closing;
    if (end != null) {
      end.run();
    }
    Roles last = roles;
    try {
      last.used.close();
    } finally {
      if (last.other != null) {
        last.other.close();
      }
    }
  }
}
