package io.kvstadium.server.execute;

import io.kvstadium.store.Capability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The execution of one or more tasks. Their writes become one batch. Belongs to one thread. */
public final class CommitGroup {
  /** A commit group may add this many bytes for which nothing asked. */
  private static final long UNASKED = 64 << 10;

  private final Store store;
  private final @Nullable Snapshot snapshot;
  private final long now;
  private final Access access;
  private final @Nullable HotEntries hot;
  private final EmptyRanges.@Nullable OfStore emptyRanges;
  private final long moment;
  private final DiskReserve reserve;
  private final PrefetchLimit prefetchLimit;
  private final Lock turn;
  private final boolean consistent;
  private boolean pointReads;

  /** Whether something was read that has no stamp since {@link #beginPointReads}. */
  private boolean otherReads;

  /** What its work was allowed to add, in bytes; -1 if nothing asked. */
  private long allowed = -1;

  /** What a group may do. */
  enum Access {
    READ,
    /** Only what is known outside the store; else {@link ColdException}. */
    READ_HOT,
    WRITE
  }

  /** The tables, of which those of a group that may write are write sets. */
  private final Map<Table<byte[], byte[]>, ReadView> tables = new LinkedHashMap<>(4);

  private final List<Runnable> beforeCommit = new ArrayList<>(1);
  private final List<Runnable> afterCommit = new ArrayList<>(0);
  private final List<Task> joined = new ArrayList<>(0);
  private @Nullable Object state;

  /**
   * Starts a commit group.
   *
   * @param snapshot what is read, or {@code null} for the latest state
   * @param hot what is known outside the store; {@code null} if nothing is, or reads are of a
   *     snapshot
   * @param emptyRanges what is known to be empty; {@code null} if that is of no use
   * @param moment of those ranges, from before the snapshot was made
   * @param reserve on the store's disk
   * @param prefetchLimit how much is read ahead
   * @param now Unix time in milliseconds: the same for all of its work
   * @param turn to write
   */
  CommitGroup(
      Store store,
      @Nullable Snapshot snapshot,
      Access access,
      @Nullable HotEntries hot,
      EmptyRanges.@Nullable OfStore emptyRanges,
      long moment,
      DiskReserve reserve,
      PrefetchLimit prefetchLimit,
      long now,
      Lock turn) {
    this.turn = turn;
    this.consistent = access == Access.WRITE || snapshot != null;
    this.reserve = reserve;
    this.prefetchLimit = prefetchLimit;
    this.emptyRanges = emptyRanges;
    this.moment = moment;
    this.store = store;
    this.snapshot = snapshot;
    this.access = access;
    this.hot = hot;
    this.now = now;
  }

  /** Unix time in milliseconds: the same for all work of the commit group. */
  public long now() {
    return now;
  }

  /** Whether it may write. */
  public boolean writes() {
    return access == Access.WRITE;
  }

  /**
   * Makes sure that the store's disk has space for an addition. Without this call, nothing is
   * refused: removals write a little, too.
   *
   * @param bytes roughly its size
   * @param nanos roughly {@link System#nanoTime}
   * @throws FullException if it has not
   */
  public void requireSpace(long bytes, long nanos) {
    reserve.take(bytes, nanos);
    allowed = Math.max(0, allowed) + bytes;
  }

  /** A table as this commit group reads it: with its own writes, if it may write. */
  public ReadView view(Table<byte[], byte[]> table) {
    ReadView view = tables.get(table);
    if (view == null) {
      boolean emptyKeys = store.capabilities().contains(Capability.EMPTY_KEY);
      EmptyRanges empty = emptyRanges == null ? null : emptyRanges.of(table.name());
      int number = hot == null ? HotEntries.NO_TABLE : hot.table(table.name());
      view =
          writes()
              ? new WriteSet(table, store.limits(), emptyKeys, empty, hot, number, prefetchLimit)
              : new ReadView(
                  stored(table),
                  store.limits(),
                  emptyKeys,
                  empty,
                  moment,
                  hot,
                  number,
                  prefetchLimit);
      tables.put(table, view);
      if (pointReads) {
        view.beginPointReads();
      }
    }
    return view;
  }

  /** Whether what is read in several steps is from one moment. */
  public boolean isConsistent() {
    return consistent;
  }

  /**
   * Begins reads by key which {@link #endPointReads} will tell to be of one moment or not, so that
   * they need no snapshot.
   */
  public void beginPointReads() {
    pointReads = true;
    otherReads = false;
    tables.values().forEach(ReadView::beginPointReads);
  }

  /**
   * Whether what was read since {@link #beginPointReads} is of one moment. Else it can be read
   * again, or {@linkplain #atOneMoment at one moment}.
   */
  public boolean endPointReads() {
    pointReads = false;
    int count = 0;
    boolean agree = true;
    for (ReadView each : tables.values()) {
      count += each.pointReads();
      agree &= each.endPointReads();
    }
    return !otherReads && (agree || count == 1);
  }

  /** Whether something was read since {@link #beginPointReads} that was not read by key. */
  public boolean hasOtherReads() {
    return otherReads;
  }

  /** Executes reads at one moment, in a group of their own. */
  public <R> R atOneMoment(Function<CommitGroup, R> reads) {
    if (access == Access.READ_HOT) {
      throw new ColdException();
    }
    if (store.capabilities().contains(Capability.SNAPSHOT)) {
      try (Snapshot latest = store.snapshot()) {
        return reads.apply(new CommitGroup(this, latest));
      }
    }
    turn.lock(); // at most until one commit is done
    try {
      return reads.apply(new CommitGroup(this, null));
    } finally {
      turn.unlock();
    }
  }

  private CommitGroup(CommitGroup of, @Nullable Snapshot snapshot) {
    this.turn = of.turn;
    this.consistent = true;
    this.reserve = of.reserve;
    this.prefetchLimit = of.prefetchLimit;
    this.emptyRanges = null;
    this.moment = of.moment;
    this.store = of.store;
    this.snapshot = snapshot;
    this.access = Access.READ;
    this.hot = null;
    this.now = of.now;
  }

  /** Reads a table in several steps at one moment, for a group that is not consistent itself. */
  public <R> R consistently(Table<byte[], byte[]> table, Function<ReadView, R> reader) {
    otherReads = true;
    return atOneMoment(group -> reader.apply(group.view(table)));
  }

  /**
   * A table to which this commit group writes.
   *
   * @throws IllegalStateException if it only reads
   */
  public WriteSet on(Table<byte[], byte[]> table) {
    return view(table).writable();
  }

  /** A table that is not there yet, in a commit group that only reads. */
  public ReadView absent() {
    return new ReadView(
        new AbsentTable(),
        store.limits(),
        true,
        null,
        moment,
        null,
        HotEntries.NO_TABLE,
        prefetchLimit);
  }

  /** A table as it was when this commit group began, without what the group has written. */
  public TableReader<byte[], byte[]> stored(Table<byte[], byte[]> table) {
    if (access == Access.READ_HOT) {
      return new ColdTable();
    }
    return snapshot == null ? table : snapshot.on(table);
  }

  /** State for the executors of the work that belongs to this commit group and is made once. */
  @SuppressWarnings("unchecked") // one kind of work keeps one kind of state
  public <S> S state(Supplier<S> make) {
    if (state == null) {
      state = make.get();
    }
    return (S) state;
  }

  /** Adds a task to run when all work is executed and before it is written; may write. */
  public void beforeCommit(Runnable task) {
    beforeCommit.add(task);
  }

  /** Adds a task to run once this commit group's writes are in the store; not if that fails. */
  public void afterCommit(Runnable task) {
    afterCommit.add(task);
  }

  /** Continues work of an earlier commit group in this one; it learns how this one ends. */
  public void join(Task task) {
    joined.add(task);
  }

  /** The work that has {@link #join joined}. */
  List<Task> joined() {
    return joined;
  }

  /** Reads what was named by prefetch, as far as is sensible. */
  void loadPrefetched() {
    long bytes = 0;
    for (ReadView view : tables.values()) {
      bytes = view.loadPrefetched(bytes);
    }
  }

  /** Brings what is known of the keys that were named by prefetch near the processor. */
  void touchPrefetched() {
    tables.values().forEach(ReadView::touchPrefetched);
  }

  /** Reports how often its reads needed no store. */
  void count() {
    tables.values().forEach(ReadView::count);
  }

  /** Makes the present state the one that {@link #rollback} returns to. */
  public void savepoint() {
    for (ReadView view : tables.values()) {
      if (view instanceof WriteSet writeSet) {
        writeSet.savepoint();
      }
    }
  }

  /** Undoes what was written to any table since the last {@link #savepoint}. */
  public void rollback() {
    for (ReadView view : tables.values()) {
      if (view instanceof WriteSet writeSet) {
        writeSet.rollback();
      }
    }
  }

  /** Writes everything that the work wrote: in one batch, if the engine has batches. */
  void commit() {
    beforeCommit.forEach(Runnable::run);
    long added = 0;
    boolean changed = false;
    for (ReadView view : tables.values()) {
      if (view instanceof WriteSet writeSet && writeSet.changed()) {
        changed = true;
        added += writeSet.beforeWrite();
      }
    }
    if (changed) {
      if (allowed >= 0 && added > 2 * allowed + UNASKED) { // such as an APPEND to a long string
        reserve.take(added - allowed, System.nanoTime());
      }
      writeAll();
    }
    long committed = emptyRanges == null ? 0 : emptyRanges.advance();
    for (ReadView view : tables.values()) {
      if (view instanceof WriteSet writeSet) {
        writeSet.committed(committed);
      }
    }
    if (changed && hot != null) {
      hot.endWrite();
    }
    afterCommit.forEach(Runnable::run);
  }

  private void writeAll() {
    if (store.capabilities().contains(Capability.BATCH)) {
      boolean ranges = store.capabilities().contains(Capability.RANGE_DELETE);
      store.write(batch ->
          forEachChanged((table, writeSet) -> writeSet.write(Writes.to(batch, table, ranges))));
    } else {
      forEachChanged((table, writeSet) -> writeSet.write(Writes.oneByOne(table)));
    }
  }

  private void forEachChanged(BiConsumer<Table<byte[], byte[]>, WriteSet> task) {
    tables.forEach((table, view) -> {
      if (view instanceof WriteSet writeSet && writeSet.changed()) {
        task.accept(table, writeSet);
      }
    });
  }
}
