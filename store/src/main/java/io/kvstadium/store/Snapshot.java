package io.kvstadium.store;

/**
 * A consistent read-only view of a whole store, as it was when the snapshot was taken. Thread-safe.
 * Must be closed: while it is open, engines keep what it may need.
 */
public interface Snapshot extends AutoCloseable {
  /** The table as it was; what is taken from it ends with the snapshot. */
  <K, V> TableReader<K, V> on(Table<K, V> table);

  /** Releases its resources. A second call does nothing. */
  @Override
  void close();
}
