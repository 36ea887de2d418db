package io.kvstadium.store;

/**
 * The writing half of a table whose keys and values are converted by codecs.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public interface TypedWriter<K, V> {
  /** Sets the value of a key, whether or not it has one. */
  void put(K key, V value);

  /** Removes an entry; does nothing if there is none. */
  void delete(K key);
}
