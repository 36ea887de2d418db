package io.kvstadium.store;

/**
 * Reads and writes that are applied atomically and isolated from others. Valid only inside the
 * block of {@link Store#transact}, on its thread; its reads see its own writes.
 *
 * <p>What isolation covers: a key read by {@code get}, {@code multiGet} or {@code contains}, or
 * written, is not changed by others until the commit (pessimistic), or the transaction fails and
 * runs again (optimistic). On a store with {@link Capability#SERIALIZABLE_SCANS} scans are covered
 * in the same way, even against what others add to the range. Without it they return what is
 * committed and the transaction's own writes, and others may change that before its commit; {@link
 * OpenOptions#require} keeps a program that relies on protected scans from running on such a store.
 */
public interface Transaction {
  /**
   * The table as seen from inside this transaction; {@code compact} and {@code estimateCount} are
   * refused.
   */
  <K, V> Table<K, V> on(Table<K, V> table);

  /**
   * Makes {@code transact} discard all writes at the end of the block instead of committing them.
   */
  void rollback();
}
