package io.kvstadium.store;

/** The writing half of a table, as seen by its store, by a batch or inside a transaction. */
public interface TableWriter {
  /** Sets the value of a key, whether or not it has one. */
  void put(byte[] key, byte[] value);

  /** Removes an entry; does nothing if there is none. */
  void delete(byte[] key);
}
