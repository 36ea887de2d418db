package io.kvstadium.store;

import java.util.Iterator;

/**
 * A named, independent key space of a store. Entries are byte strings, in unsigned byte order of
 * their keys. Safe for all threads; needs no close.
 *
 * <p>A {@code Table} of a store works on the latest state, each call on its own. {@link
 * Transaction#on}, {@link Batch#on} and {@link Snapshot#on} give the same table as seen by them.
 */
public interface Table extends TableReader, TableWriter {
  /**
   * Puts many entries in the fastest way that the engine has ({@link Capability#BULK_LOAD}), or in
   * batches. Each replaces an entry of the same key; of several with the same key the last one
   * holds. Readers may see a part of it meanwhile, and after a failure a part may be there. When
   * this returns, all of it is as durable as the store's level promises.
   *
   * @param entries called by this thread only, and allowed to read this store, not to write to it
   * @param sorted a promise that keys ascend strictly, in unsigned byte order, which is checked;
   *     much faster on engines that keep their keys in order
   * @return how many entries there were
   * @throws BadArgumentException if {@code sorted} and a key is not above the one before it
   */
  long load(Iterator<Entry> entries, boolean sorted);

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
