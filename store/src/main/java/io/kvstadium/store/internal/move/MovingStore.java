package io.kvstadium.store.internal.move;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
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
public final class MovingStore extends MovedReader implements EngineStore<MovedTable> {
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
    both.remove(Capability.BULK_LOAD); // which goes by the log: in batches
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

  // ---- reads

  @Override
  Side side() {
    return roles.used;
  }

  @Override
  EngineReader<EngineTable> reader(Side side) {
    ShadowReads compared = shadow;
    return compared == null || !compared.isNext() ? side.store : compared.reader(side);
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

  @Override
  public void put(MovedTable table, byte[] key, byte[] value) throws Exception {
    write(List.of(new Write<>(table, key, value)));
  }

  @Override
  public void delete(MovedTable table, byte[] key) throws Exception {
    write(List.of(new Write<>(table, key, null)));
  }

  @Override
  public void write(List<Write<MovedTable>> writes) throws Exception {
    writers.readLock().lock();
    try {
      Roles now = roles;
      List<Write<EngineTable>> all = new ArrayList<>(writes.size() + 1);
      for (Write<MovedTable> write : writes) {
        EngineTable table = handle(now.used, write.table());
        all.add(new Write<>(table, write.key(), write.value(), write.range()));
      }
      if (now.log == null) {
        now.used.store.write(all);
      } else {
        now.log.with(
            all,
            entries -> {
              all.addAll(entries);
              now.used.store.write(all);
            });
      }
    } finally {
      writers.readLock().unlock();
    }
  }

  @Override
  public long delete(MovedTable table, Range<byte[]> range) throws Exception {
    long count = 0;
    try (EngineCursor cursor = cursor(table, range.keysOnly())) {
      while (cursor.next()) {
        count++;
      }
    }
    write(List.of(Write.delete(table, range)));
    return count;
  }

  @Override
  public boolean clear(MovedTable table) throws Exception {
    if (!capabilities.contains(Capability.RANGE_DELETE)) {
      return false;
    }
    write(List.of(Write.delete(table, Range.all())));
    return true;
  }

  @Override
  public EngineTransaction<MovedTable> begin(TransactionMode mode, Duration lockTimeout)
      throws Exception {
    writers.readLock().lock(); // until it ends
    try {
      Roles now = roles;
      TransactionMode kind = mode;
      if (!now.used.capabilities.contains(mode.capability())) {
        boolean optimistic = mode == TransactionMode.OPTIMISTIC;
        kind = optimistic ? TransactionMode.PESSIMISTIC : TransactionMode.OPTIMISTIC;
      }
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

  /** The log says it before, and on disk: this cannot be one step with an entry of the log. */
  @Override
  public void dropTable(MovedTable table) throws Exception {
    writers.readLock().lock();
    try {
      Side used = roles.used;
      ChangeLog log = roles.log;
      if (log == null) {
        used.drop(table.name());
      } else {
        log.with(
            List.of(Write.delete(handle(used, table), Range.all())),
            entries -> {
              used.store.write(entries);
              used.store.sync();
              used.drop(table.name());
            });
      }
      tables.remove(table.name());
    } finally {
      writers.readLock().unlock();
    }
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
