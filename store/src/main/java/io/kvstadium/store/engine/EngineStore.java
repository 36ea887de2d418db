package io.kvstadium.store.engine;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open store of one engine. The optional methods throw {@link UnsupportedOperationException}
 * here; the library calls them only if the store declares what they need.
 *
 * @param <T> the engine's table handle
 */
public interface EngineStore<T extends EngineTable>
    extends EngineReader<T>, EngineWriter<T>, AutoCloseable {
  /**
   * What this store can do as opened, a subset of {@link EngineInfo#capabilities()}, if that is not
   * what {@link Engine#capabilities(StoreConfig)} says; otherwise {@code null}.
   */
  default @Nullable Set<Capability> capabilities() {
    return null;
  }

  /**
   * The limits of this store as opened, if they are lower than {@link EngineInfo#limits()};
   * otherwise {@code null}.
   */
  default @Nullable Limits limits() {
    return null;
  }

  /**
   * What tells the data from all others of the engine, by whatever address they were reached: for
   * stores on a server; empty if there is nothing better than the address.
   */
  default String identity() throws Exception {
    return "";
  }

  /** The names of the tables that exist, without the engine's internal ones, in any order. */
  Set<String> tables() throws Exception;

  /**
   * What another program has in the store that cannot be read as tables of entries, by name, and
   * why: a sentence without its full stop, to follow the name and a colon. None of these is among
   * {@link #tables}.
   */
  default Map<String, String> unreadable() throws Exception {
    return Map.of();
  }

  /**
   * Opens a table, while other tables may be in use. Called first without {@code create}; then it
   * must not wait for a writer, who may be waiting for the caller. If there is no such table it is
   * called with {@code create}, outside of all transactions of the calling thread, and may then
   * wait for a writer. Never called concurrently for the same name, nor concurrently with {@code
   * create}; once it returned a table, not called again for that name before a drop.
   *
   * @param options the table's options, each with a value or its default
   * @param create whether to create it if it does not exist; {@link
   *     io.kvstadium.store.Store#DEFAULT_TABLE} is always asked for with {@code true} unless the
   *     store is read-only
   * @return {@code null} if it does not exist and {@code create} is false
   */
  @Nullable T openTable(String name, Options options, boolean create) throws Exception;

  /**
   * Removes a table and its entries. No call on this table is in progress, none will come, and its
   * cursors are closed. Everything else continues meanwhile: calls on other tables and on the store
   * as a whole, snapshots, transactions, other tables' cursors; none of them may have to wait for a
   * reader or for this.
   */
  default void dropTable(T table) throws Exception {
    throw new UnsupportedOperationException("dropTable");
  }

  /**
   * Applies the writes in order and atomically; the list is not empty. Removals of ranges are among
   * them only if the store has {@link Capability#RANGE_DELETE}.
   */
  default void write(List<Write<T>> writes) throws Exception {
    throw new UnsupportedOperationException("write");
  }

  /**
   * Puts many entries, for stores with {@link io.kvstadium.store.Capability#BULK_LOAD}; see {@link
   * io.kvstadium.store.Table#bulkLoad}. The library has checked each entry by the time that the
   * iterator returns it. What the iterator throws is rethrown, and the store stays usable.
   *
   * @param sorted whether the keys ascend strictly
   */
  default void bulkLoad(T table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws Exception {
    throw new UnsupportedOperationException("bulkLoad");
  }

  /**
   * Begins a transaction on the calling thread.
   *
   * @param lockTimeout the longest wait for a lock, after which {@link
   *     io.kvstadium.store.ConflictException} is thrown; applies to waiting for other writers at
   *     begin too
   */
  default EngineTransaction<T> begin(TransactionMode mode, Duration lockTimeout) throws Exception {
    throw new UnsupportedOperationException("begin");
  }

  /** Returns a consistent view of the current state. */
  default EngineSnapshot<T> snapshot() throws Exception {
    throw new UnsupportedOperationException("snapshot");
  }

  /**
   * Removes all entries of a table and returns true, or returns false if the engine has no better
   * way than deleting one after the other, which the library then does. Durable like {@link #put}.
   * Other calls may be in progress.
   */
  default boolean clear(T table) throws Exception {
    return false;
  }

  /**
   * Removes the entries of a range in one atomic step, for stores with {@link
   * Capability#RANGE_DELETE}; durable like {@link #put}. Other calls may be in progress.
   *
   * @param range not empty, without a limit, ascending
   * @return how many entries there were; they may be counted just before
   */
  default long delete(T table, Range<byte[]> range) throws Exception {
    throw new UnsupportedOperationException("delete");
  }

  /** The exact number of entries, or -1 if that takes a scan, which the library then does. */
  default long count(T table) throws Exception {
    return -1;
  }

  /** About how many entries there are. */
  default long estimateCount(T table) throws Exception {
    throw new UnsupportedOperationException("estimateCount");
  }

  /**
   * How many bytes of its disk must stay free so that the engine can go on with removals once there
   * is no space for anything else; 0 if it does not know.
   */
  default long diskReserve() throws Exception {
    return 0;
  }

  /**
   * Raises everything acknowledged before to {@link io.kvstadium.store.Durability#POWER}; does
   * nothing on an engine that keeps nothing.
   */
  void sync() throws Exception;

  /**
   * Writes a copy of the store's files as they are at one moment of the call, for stores with
   * {@link Capability#BACKUP}; or returns false, writing nothing, if the engine has no better way
   * than to read all entries of a snapshot, which the library then does.
   *
   * <p>In an empty directory, under the names given, the copy is a store that {@link Engine#open}
   * opens with the same options. It has everything that was acknowledged before the call, and a
   * prefix of what is written meanwhile, each batch and transaction wholly or not at all. Others
   * read and write meanwhile, and the store is the same afterwards. The library syncs the copy. If
   * the process is killed, the engine removes what it left elsewhere at the next open.
   */
  default boolean backup(BackupTarget target) throws Exception {
    return false;
  }

  /** Reclaims space; returns when done. */
  default void compact(T table) throws Exception {
    throw new UnsupportedOperationException("compact");
  }

  /**
   * The engine's statistics by name, in a sensible order. The library adds those of {@link
   * #background}, under the names {@code background_jobs} and {@code compaction_pending_bytes}, and
   * of {@link #memory}.
   */
  default Map<String, String> stats() throws Exception {
    return Map.of();
  }

  /**
   * The memory that it holds now, in bytes by what for, as far as the engine knows: caches,
   * buffers, the processes of a server that is its own; pages of files that the operating system
   * keeps are {@link io.kvstadium.store.StoreStatus.Memory#PAGE_CACHE}. Other calls may be in
   * progress, which must not wait for it.
   */
  default Map<String, Long> memory() throws Exception {
    return Map.of();
  }

  /**
   * What the engine does in the background now, or {@code null} if it does not report that, which
   * must then always be so. {@link BackgroundWork#NONE} from an engine that has no background work.
   * Called many times a second while others read and write: it must be cheap. Other calls may be in
   * progress.
   */
  default @Nullable BackgroundWork background() throws Exception {
    return null;
  }

  /**
   * What has held writers up since the open, or {@code null} if the engine does not count that.
   * Other calls may be in progress.
   */
  default @Nullable WriteStalls stalls() throws Exception {
    return null;
  }

  /**
   * What a failure of any call means, on the store, its snapshots, transactions and cursors; {@code
   * null} if the adapter does not know it. The library knows {@link java.io.IOException} itself,
   * and rethrows others unchanged. Never asked about what the application's own code threw, nor
   * about a {@link io.kvstadium.store.StadiumException}, which an adapter may throw where it knows
   * better.
   */
  default @Nullable Failure classify(Throwable thrown) {
    return null;
  }

  /** Closes the tables and the store. What was acknowledged at level {@code none} is kept too. */
  @Override
  void close() throws Exception;
}
