package io.kvstadium.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of a table whose keys and values are converted by codecs. All methods that
 * return keys or values throw {@link CorruptException}, with the table and the key, if one is not
 * of the codec's form.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public interface TypedReader<K, V> {
  /** The table's name. */
  String name();

  /** The value, or {@code null} if there is no such entry. */
  @Nullable V get(K key);

  /** The value, or {@code fallback} if there is no such entry. */
  V getOrDefault(K key, V fallback);

  /** The values of many keys in their order, {@code null} for those without an entry. */
  List<@Nullable V> getAll(List<K> keys);

  /**
   * The same, read by up to {@code parallelism} threads; see {@link TableReader#getAll(List, int)}.
   * The calling thread alone encodes and decodes.
   */
  List<@Nullable V> getAll(List<K> keys, int parallelism);

  /** Whether there is such an entry. */
  boolean exists(K key);

  /** See {@link TableReader#mayExist}. */
  boolean mayExist(K key);

  /**
   * The entries of a range, lazily; must be closed.
   *
   * @throws BadArgumentException if the range has bounds that the key codec cannot express
   */
  TypedCursor<K, V> scan(TypedRange<K> range);

  /** All entries, lazily; must be closed. */
  default TypedCursor<K, V> scan() {
    return scan(TypedRange.all());
  }

  /** The exact number of entries; may have to visit each. */
  long count();
}
