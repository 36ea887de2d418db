package io.kvstadium.store;

/**
 * A named, independent key space of a store. Entries are byte strings, in unsigned byte order of
 * their keys. Safe for all threads; needs no close.
 *
 * <p>A {@code Table} of a store works on the latest state, each call on its own. {@link
 * Transaction#on}, {@link Batch#on} and {@link Snapshot#on} give the same table as seen by them.
 */
public interface Table extends TableReader, TableWriter {
  /** Removes all entries; returns when they cannot be seen any more. */
  void clear();

  /**
   * About how many entries there are, without visiting them.
   *
   * @throws UnsupportedException if the engine has no estimate
   */
  long estimateCount();

  /**
   * Gives back the space of what was deleted and overwritten in this table, as far as the engine
   * can; returns when done.
   *
   * @throws UnsupportedException if the engine does not compact on request
   */
  void compact();

  /** This table with keys and values converted by codecs. */
  default <K, V> TypedTable<K, V> typed(Codec<K> keys, Codec<V> values) {
    return TypedTable.of(this, keys, values);
  }
}
