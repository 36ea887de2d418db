package io.kvstadium.store.spi;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.TransactionMode;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open store of one engine. The optional methods throw {@link UnsupportedOperationException}
 * here; the library calls them only if {@link #capabilities()} lists what they need.
 *
 * @param <T> the engine's table handle
 */
public interface EngineStore<T extends EngineTable>
    extends EngineReader<T>, EngineWriter<T>, AutoCloseable {
  /** What this store can do as opened: a subset of {@link EngineInfo#capabilities()}. */
  Set<Capability> capabilities();

  /**
   * How large things may be in this store as opened, where that is less than {@link
   * EngineInfo#limits()}; otherwise {@code null}.
   */
  default @Nullable Limits limits() {
    return null;
  }

  /** The level in force: the one asked for or a stronger one; never weaker. */
  Durability durability();

  /** The names of the tables that exist, without the engine's internal ones, in any order. */
  Set<String> tables();

  /**
   * Opens a table. Called once per name (again after a drop), never by two threads at once, while
   * other tables may be in use.
   *
   * @param options the table's options, each with a value or its default
   * @param create whether to make it if it is not there; {@link
   *     io.kvstadium.store.Store#DEFAULT_TABLE} is always asked for with {@code true} unless the
   *     store is read-only
   * @return {@code null} if it is not there and {@code create} is false
   */
  @Nullable T openTable(String name, Options options, boolean create);

  /** Removes a table and its entries. No other call is in progress. */
  default void dropTable(T table) {
    throw new UnsupportedOperationException("dropTable");
  }

  /** Applies the writes in order and atomically; the list is not empty. */
  default void write(List<Write<T>> writes) {
    throw new UnsupportedOperationException("write");
  }

  /**
   * Puts many entries, for stores with {@link io.kvstadium.store.Capability#BULK_LOAD}; see {@link
   * io.kvstadium.store.Table#load}. The library has checked each entry by the time that the
   * iterator gives it. What the iterator throws is thrown on, and the store stays usable.
   *
   * @param sorted whether the keys ascend strictly
   */
  default void load(T table, Iterator<Entry> entries, boolean sorted) {
    throw new UnsupportedOperationException("load");
  }

  /**
   * Begins a transaction on the calling thread.
   *
   * @param lockTimeout the longest wait for a lock, then {@link
   *     io.kvstadium.store.ConflictException}; applies to waiting for other writers at begin too
   */
  default EngineTransaction<T> begin(TransactionMode mode, Duration lockTimeout) {
    throw new UnsupportedOperationException("begin");
  }

  /** A consistent view of the present state. */
  default EngineSnapshot<T> snapshot() {
    throw new UnsupportedOperationException("snapshot");
  }

  /**
   * Removes all entries of a table and returns true, or returns false if the engine has no better
   * way than deleting one after the other, which the library then does. Durable like {@link #put}.
   * Other calls may be in progress.
   */
  default boolean clear(T table) {
    return false;
  }

  /** The exact number of entries, or -1 if only a scan can tell, which the library then does. */
  default long count(T table) {
    return -1;
  }

  /** About how many entries there are. */
  default long estimateCount(T table) {
    throw new UnsupportedOperationException("estimateCount");
  }

  /**
   * Raises everything acknowledged before to {@link Durability#POWER}; does nothing on an engine
   * that keeps nothing.
   */
  void sync();

  /** Gives space back; returns when done. */
  default void compact(T table) {
    throw new UnsupportedOperationException("compact");
  }

  /** Makes the writes of a writer elsewhere visible here, up to now. */
  default void catchUp() {
    throw new UnsupportedOperationException("catchUp");
  }

  /**
   * The engine's figures by name, in a sensible order. The library adds those of {@link
   * #background}, under the names {@code background_jobs} and {@code compaction_pending_bytes}.
   */
  default Map<String, String> stats() {
    return Map.of();
  }

  /**
   * What the engine does in the background now, or {@code null} if it does not tell; then it never
   * does. {@link BackgroundWork#NONE} from an engine that has no work of its own. Asked many times
   * a second while others read and write: it must be cheap. Other calls may be in progress.
   */
  default @Nullable BackgroundWork background() {
    return null;
  }

  /** Closes tables and store. What was acknowledged at level {@code none} is kept too. */
  @Override
  void close();
}
