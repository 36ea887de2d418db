package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import java.util.Iterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named, independent key space of a store, whose keys and values are converted by codecs. Entries
 * are stored as byte strings, in unsigned byte order of their keys. Thread-safe; need not be
 * closed.
 *
 * <p>A {@code Table} of a store works on the latest state, each call on its own. {@link
 * Transaction#on} and {@link Snapshot#on} return the same table as seen by each of them, and {@link
 * Batch} writes to it.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public interface Table<K, V> extends TableReader<K, V> {
  /**
   * Sets the value of a key, whether or not it has one.
   *
   * <p>On the store's own table all methods that write throw {@link BadArgumentException} inside
   * the blocks of the same store ({@code write}, {@code transact}, {@code compute}, {@code
   * bulkLoad}), on their thread: it would be no part of the batch or transaction. Single writes and
   * batches wait for each other for as long as it takes; one that waits for a transaction for
   * longer than the engine's lock timeout throws {@link ConflictException}.
   */
  void put(K key, V value);

  /** Removes an entry; does nothing if there is none. */
  void delete(K key);

  /**
   * Puts the entry if there is none with this key.
   *
   * <p>This and the three methods after it read and write one entry in one step: no other write to
   * it, of whatever kind, comes in between. If the store has transactions, each call is one, and is
   * retried on a conflict; so it costs as much as a small transaction: measured, half a microsecond
   * more than a get and a put on lmdb, more on memory. On other stores it excludes other writes to
   * its key by a lock of the library, which the plain writes of such a store take too (some 40 ns
   * each, measured). That applies to writes through this store; the lock does not cover other
   * processes.
   *
   * <p>In the table of a {@link Transaction} they are parts of that transaction. On the store's own
   * table they are refused inside the blocks and value readers of the store.
   *
   * @return whether it was put
   * @throws ConflictException if it kept losing to others for longer than 5 seconds
   * @throws BadArgumentException if called from inside a block or a {@link ValueReader}
   */
  boolean putIfAbsent(K key, V value);

  /**
   * Sets the value if the current one has the same bytes as {@code expected} has. See {@link
   * #putIfAbsent} for what it excludes, its cost and its errors.
   *
   * @return whether it was set; {@code false} also if there is no such entry
   */
  boolean replace(K key, V expected, V value);

  /**
   * Sets the value to what a function makes of the current one. See {@link #putIfAbsent} for what
   * it excludes, its cost and its errors.
   *
   * <p>The function may run several times: it runs again if somebody else changed the entry while
   * it ran. No lock is held while it runs. It may read the store; blocks, writes and the close of
   * the store are refused inside it. If it throws, nothing is written, and the exception reaches
   * the caller unchanged.
   *
   * @param function is given the current value or {@code null}, and returns the new one or {@code
   *     null} for no entry
   * @return what the function returned in its last run, which was written
   */
  @Nullable V compute(K key, Function<@Nullable V, @Nullable V> function);

  /**
   * Adds to a number in the form of {@link Codec#LONG}; a missing entry counts as 0. See {@link
   * #putIfAbsent} for what it excludes, its cost and its errors.
   *
   * @return the sum, which is the new value
   * @throws BadArgumentException if the values' codec is neither {@link Codec#LONG} nor {@link
   *     Codec#BYTES}, or if the sum is beyond the range of a {@code long}; nothing is written
   * @throws CorruptException if the value has a different form; nothing is written
   */
  long increment(K key, long delta);

  /**
   * Puts many entries in the fastest way that the engine has ({@link Capability#BULK_LOAD}), or in
   * batches. Each replaces an entry with the same key; of several with the same key the last one
   * wins. Readers may see a part of the load while it runs, and a part may remain after a failure.
   * When this returns, all of it is as durable as the store's level promises.
   *
   * @param entries called by this thread only; may read this store, but not write to it
   * @param sorted a promise, which is checked, that keys ascend strictly in unsigned byte order;
   *     much faster on engines that keep their keys in order
   * @return how many entries there were
   * @throws BadArgumentException if {@code sorted} and a key is not above the one before it
   */
  long bulkLoad(Iterator<Entry<K, V>> entries, boolean sorted);

  /**
   * Removes the entries of a range. The range's direction does not matter; an empty or inverted one
   * removes nothing.
   *
   * <p>On engines with {@link Capability#RANGE_DELETE} this is one atomic step. In the table of a
   * {@link Transaction} it is a scan and deletes that belong to the transaction. Elsewhere the
   * library scans and deletes in portions of a few hundred entries, each an atomic batch where
   * there are batches: readers may see a part of it, a failure may leave it partly done, and what
   * others put into the range meanwhile may stay.
   *
   * @return how many entries it removed, counted by the keys that were there; it may be off by what
   *     others wrote in the range at the same time
   * @throws BadArgumentException if the range has a limit
   * @throws UnsupportedException if the engine cannot scan such a range
   */
  long delete(Range<K> range);

  /** Removes all entries; returns when they are no longer visible. */
  void clear();

  /**
   * About how many entries there are, without visiting them.
   *
   * @throws UnsupportedException if the engine has no estimate
   */
  long estimateCount();

  /**
   * Reclaims the space of what was deleted and overwritten in this table, as far as the engine can;
   * returns when done.
   *
   * @return false if the engine does not compact on request ({@link Capability#COMPACT}), and
   *     nothing was done
   */
  boolean compact();
}
