package io.kvstadium.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reading half of a table, as seen by its store, by a snapshot or inside a transaction. */
public interface TableReader {
  /** The table's name. */
  String name();

  /** A copy of the value, or {@code null} if there is no such entry. */
  byte @Nullable [] get(byte[] key);

  /** A copy of the value, or {@code fallback} itself if there is no such entry. */
  byte[] getOrDefault(byte[] key, byte[] fallback);

  /**
   * Lends the value to {@code reader}, without a copy where the engine allows it.
   *
   * @return what the reader returned, or {@code null} if there is no such entry
   */
  <R> @Nullable R get(byte[] key, ValueReader<R> reader);

  /**
   * The values of many keys, in a single call to the engine where it has one.
   *
   * @return a list as long as {@code keys} and in their order, with {@code null} for each key that
   *     has no entry
   */
  List<byte @Nullable []> getAll(List<byte[]> keys);

  /**
   * The same as {@link #getAll(List)}, but read by up to {@code parallelism} threads at once: the
   * calling one and others that the store keeps for this, never more than 64. For many keys whose
   * values are not in memory, on engines that would read one after the other: the disk then has
   * several reads to work on. Values in memory gain at most what the processor's other cores can
   * give.
   *
   * <p>Each value is read at some moment during the call, not all at the same one: with concurrent
   * writers two values may be from different times, even where {@code getAll(List)} reads them all
   * at one moment. In a table of a snapshot they are the snapshot's. An interrupt does not end the
   * call.
   *
   * <p>Only the calling thread reads, as in {@code getAll(List)}, if there are few keys; inside a
   * transaction; and inside a block or a value reader of this store.
   *
   * @param parallelism at least 1, which is the same as {@code getAll(List)}
   * @throws BadArgumentException if {@code parallelism} is less than 1
   * @throws ClosedException also if the store is closed by another thread meanwhile
   */
  List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism);

  /** Whether there is such an entry. */
  boolean exists(byte[] key);

  /**
   * Whether there may be such an entry: {@code false} is certain and may be much cheaper than
   * {@link #exists}; {@code true} is not.
   */
  boolean mayExist(byte[] key);

  /**
   * The entries of a range, lazily. The cursor must be closed.
   *
   * @throws UnsupportedException if the engine cannot scan, or is asked for a bound or an order
   *     that it does not keep
   */
  Cursor scan(Range range);

  /**
   * The entry with the least key of a range, or {@code null} if the range has none. The range's
   * direction, limit and {@code keysOnly} do not matter.
   *
   * @throws UnsupportedException if the engine has no order
   */
  @Nullable Entry first(Range range);

  /** The entry with the greatest key of a range; see {@link #first}. */
  @Nullable Entry last(Range range);

  /** The exact number of entries; may have to visit each. */
  long count();

  /**
   * The exact number of entries in a range, at most its limit. Visits each key, but reads no values
   * where the engine can do without.
   */
  long count(Range range);
}
