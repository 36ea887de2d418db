package io.kvstadium.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a table whose keys and values are converted by codecs. All methods that
 * return keys or values throw {@link CorruptException}, with the table and the key, if one is not
 * in the codec's format.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public interface TypedReader<K, V> {
  /** The table's name. */
  String name();

  /** The value, or {@code null} if there is no such entry. */
  @Nullable V get(K key);

  /**
   * Lends the value's bytes, not converted; see {@link TableReader#get(byte[], ValueReader)}.
   *
   * @return what the reader returned, or {@code null} if there is no such entry
   */
  <R> @Nullable R get(K key, ValueReader<R> lent);

  /** The value, or {@code fallback} if there is no such entry. */
  V getOrDefault(K key, V fallback);

  /** The values of many keys, in the order of the keys, {@code null} for those without an entry. */
  List<@Nullable V> getAll(List<K> keys);

  /** Whether there is such an entry. */
  boolean exists(K key);

  /**
   * The entries of a range, lazily; must be closed.
   *
   * @throws BadArgumentException if the range has bounds that the key codec cannot express
   */
  TypedCursor<K, V> scan(TypedRange<K> range);

  /**
   * The entry with the least key of a range, or {@code null}; see {@link TableReader#first}.
   *
   * @throws BadArgumentException if the range has bounds that the key codec cannot express
   */
  Map.@Nullable Entry<K, V> first(TypedRange<K> range);

  /** The entry with the greatest key of a range, or {@code null}; see {@link #first}. */
  Map.@Nullable Entry<K, V> last(TypedRange<K> range);

  /** All entries, lazily; must be closed. */
  default TypedCursor<K, V> scan() {
    return scan(TypedRange.all());
  }

  /** The exact number of entries; may have to visit each. */
  long count();

  /**
   * The exact number of entries in a range; see {@link TableReader#count(Range)}. Nothing is
   * decoded.
   *
   * @throws BadArgumentException if the range has bounds that the key codec cannot express
   */
  long count(TypedRange<K> range);
}
