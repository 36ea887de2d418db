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
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The execution of one or more pieces of work. Their writes become one batch. Belongs to one
 * thread.
 */
public final class Round {
  /** A round may add this many bytes for which nothing asked. */
  private static final long UNASKED = 64 << 10;

  private final Store store;
  private final @Nullable Snapshot view;
  private final boolean writes;
  private final long now;
  private final @Nullable KnownKeys known;
  private final Gaps.@Nullable OfStore gaps;
  private final long moment;
  private final Room room;
  private final Prefetch prefetch;

  /** What its work was allowed to add, in bytes; -1 if nothing asked. */
  private long allowed = -1;

  private final Map<Table<byte[], byte[]>, Overlay> overlays = new LinkedHashMap<>(4);
  private final List<Runnable> beforeCommit = new ArrayList<>(1);
  private final List<Runnable> afterCommit = new ArrayList<>(0);
  private final List<Work> joined = new ArrayList<>(0);
  private @Nullable Object state;

  /**
   * Starts a round.
   *
   * @param view what is read, or {@code null} for the latest state
   * @param known what is known outside the store, for a round that may write; {@code null} for one
   *     that only reads
   * @param gaps what is known to be empty; {@code null} if that is of no use
   * @param moment of those gaps, from before the view was made
   * @param room on the store's disk
   * @param prefetch how much is read ahead
   * @param now Unix time in milliseconds: the same for all of its work
   */
  Round(
      Store store,
      @Nullable Snapshot view,
      @Nullable KnownKeys known,
      Gaps.@Nullable OfStore gaps,
      long moment,
      Room room,
      Prefetch prefetch,
      long now) {
    this.room = room;
    this.prefetch = prefetch;
    this.gaps = gaps;
    this.moment = moment;
    this.store = store;
    this.view = view;
    this.writes = known != null;
    this.known = known;
    this.now = now;
  }

  /** Unix time in milliseconds: the same for all work of the round. */
  public long now() {
    return now;
  }

  /** Whether it may write. */
  public boolean writes() {
    return writes;
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
    room.take(bytes, nanos);
    allowed = Math.max(0, allowed) + bytes;
  }

  /** A table as this round sees it. */
  public Overlay on(Table<byte[], byte[]> table) {
    Overlay overlay = overlays.get(table);
    if (overlay == null) {
      overlay =
          new Overlay(
              view == null ? table : view.on(table),
              table.name(),
              store.limits(),
              store.capabilities().contains(Capability.EMPTY_KEY),
              known,
              gaps == null ? null : gaps.of(table.name()),
              moment,
              prefetch);
      overlays.put(table, overlay);
    }
    return overlay;
  }

  /** A table that is not there yet, in a round that only reads. */
  public Overlay absent() {
    return new Overlay(new AbsentTable(), "", store.limits(), true, null, null, moment, prefetch);
  }

  /** A table as it was when this round began, without what the round has written. */
  public TableReader<byte[], byte[]> stored(Table<byte[], byte[]> table) {
    return view == null ? table : view.on(table);
  }

  /** State for the executors of the work that belongs to this round and is made once. */
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

  /** Adds a task to run once this round's writes are in the store; not if that fails. */
  public void afterCommit(Runnable task) {
    afterCommit.add(task);
  }

  /** Continues work of an earlier round in this one; it learns how this one ends. */
  public void join(Work work) {
    joined.add(work);
  }

  /** The work that has {@link #join joined}. */
  List<Work> joined() {
    return joined;
  }

  /** Reads what was announced, as far as is sensible. */
  void fetch() {
    long bytes = 0;
    for (Overlay overlay : overlays.values()) {
      bytes = overlay.fetch(prefetch, bytes);
    }
  }

  /** Makes the present state the one that {@link #rollback} returns to. */
  public void savepoint() {
    for (Overlay overlay : overlays.values()) {
      overlay.savepoint();
    }
  }

  /** Undoes what was written to any table since the last {@link #savepoint}. */
  public void rollback() {
    overlays.values().forEach(Overlay::rollback);
  }

  /** Writes everything that the work wrote: in one batch, if the engine has batches. */
  void commit() {
    if (writes) {
      beforeCommit.forEach(Runnable::run);
      boolean changed = false;
      for (Overlay overlay : overlays.values()) {
        changed |= overlay.changed();
      }
      if (changed) {
        long added = 0;
        for (Overlay overlay : overlays.values()) {
          added += overlay.beforeWrite();
        }
        if (allowed >= 0 && added > 2 * allowed + UNASKED) { // such as an APPEND to a long string
          room.take(added - allowed, System.nanoTime());
        }
        writeAll();
      }
      long committed = gaps == null ? 0 : gaps.advance();
      for (Overlay overlay : overlays.values()) {
        overlay.committed(committed);
      }
    }
    afterCommit.forEach(Runnable::run);
  }

  private void writeAll() {
    if (store.capabilities().contains(Capability.BATCH)) {
      boolean ranges = store.capabilities().contains(Capability.RANGE_DELETE);
      store.write(batch ->
          forEachChanged((table, overlay) -> overlay.write(Writes.to(batch, table, ranges))));
    } else {
      forEachChanged((table, overlay) -> overlay.write(Writes.oneByOne(table)));
    }
  }

  private void forEachChanged(BiConsumer<Table<byte[], byte[]>, Overlay> task) {
    overlays.forEach((table, overlay) -> {
      if (overlay.changed()) {
        task.accept(table, overlay);
      }
    });
  }
}
