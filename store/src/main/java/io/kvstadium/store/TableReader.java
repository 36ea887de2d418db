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

  /** Whether there is such an entry. */
  boolean exists(byte[] key);

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
