package io.kvstadium.store;

/**
 * Collects writes, over any tables of one store, that {@link Store#write} then applies atomically.
 * Valid only inside the block of {@code write}, on its thread; reads do not see what it holds.
 */
public interface Batch {
  /** Sets the value of a key of a table, whether or not it has one. */
  <K, V> void put(Table<K, V> table, K key, V value);

  /** Removes an entry of a table; does nothing if there is none. */
  <K> void delete(Table<K, ?> table, K key);

  /**
   * Removes the entries of a range: those that are there when the batch is applied, and those that
   * were put earlier in this batch. The range's direction does not matter; an empty or inverted one
   * removes nothing.
   *
   * @throws BadArgumentException if the range has a limit
   * @throws UnsupportedException if the store has no {@link Capability#RANGE_DELETE}
   */
  <K> void delete(Table<K, ?> table, Range<K> range);
}
