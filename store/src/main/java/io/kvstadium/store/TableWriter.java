package io.kvstadium.store;

/**
 * The writing half of a table, as seen by its store, by a batch or inside a transaction.
 *
 * <p>On the store's own table every method throws {@link BadArgumentException} inside the blocks of
 * the same store ({@code write}, {@code transact}, {@code update}, {@code load}), on their thread:
 * it would be no part of the batch or transaction. Single writes and batches wait for each other
 * for as long as it takes; one that waits for a transaction for longer than the engine's lock
 * timeout throws {@link ConflictException}.
 */
public interface TableWriter {
  /** Sets the value of a key, whether or not it has one. */
  void put(byte[] key, byte[] value);

  /** Removes an entry; does nothing if there is none. */
  void delete(byte[] key);
}
