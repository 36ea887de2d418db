package io.kvstadium.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a table, as seen by its store, by a snapshot or inside a transaction. All
 * methods that return keys or values throw {@link CorruptException}, with the table and the key, if
 * one is not in the codec's format.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public interface TableReader<K, V> {
  /** The table's name. */
  String name();

  /** The value, or {@code null} if there is no such entry. A byte string is a copy. */
  @Nullable V get(K key);

  /** The value, or {@code fallback} itself if there is no such entry. */
  V getOrDefault(K key, V fallback);

  /**
   * Reads the value's bytes, not converted, without a copy where the engine allows it.
   *
   * @return what the reader returned, or {@code null} if there is no such entry
   */
  <R> @Nullable R get(K key, ValueReader<R> reader);

  /**
   * Copies the first bytes of a value, not converted, as many as there are and fit, without reading
   * the rest where the engine allows it.
   *
   * @return the length of the whole value in bytes, or -1 if there is no such entry
   */
  int head(K key, byte[] into);

  /**
   * The values of many keys, in a single call to the engine where it has one.
   *
   * @return a list as long as {@code keys} and in their order, with {@code null} for each key that
   *     has no entry
   */
  List<@Nullable V> multiGet(List<K> keys);

  /** Whether there is such an entry. */
  boolean contains(K key);

  /**
   * The entries of a range, lazily. The cursor must be closed.
   *
   * @throws BadArgumentException if the range has bounds that the key codec cannot express
   * @throws UnsupportedException if the engine cannot scan, or is asked for a bound or an order
   *     that it does not keep
   */
  Cursor<K, V> scan(Range<K> range);

  /** All entries, lazily; must be closed. */
  default Cursor<K, V> scan() {
    return scan(Range.all());
  }

  /**
   * The entry with the least key of a range, or {@code null} if the range has none. The range's
   * direction, limit and {@code keysOnly} do not matter.
   *
   * @throws UnsupportedException if the engine has no order
   */
  @Nullable Entry<K, V> first(Range<K> range);

  /** The entry with the greatest key of a range; see {@link #first}. */
  @Nullable Entry<K, V> last(Range<K> range);

  /** The exact number of entries; may have to visit each. */
  long count();

  /**
   * The exact number of entries in a range, at most its limit. Visits each key, but decodes nothing
   * and reads no values where the engine can do without.
   */
  long count(Range<K> range);
}
