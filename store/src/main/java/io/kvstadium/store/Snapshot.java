package io.kvstadium.store;

/**
 * A consistent read-only view of a whole store, as it was when the snapshot was taken. Safe for all
 * threads. Must be closed: while it is open, engines keep what it may need.
 */
public interface Snapshot extends AutoCloseable {
  /** The table as of this snapshot. */
  TableReader on(Table table);

  /** The typed table as of this snapshot. */
  default <K, V> TypedReader<K, V> on(TypedTable<K, V> table) {
    return table.on(this);
  }

  /** Gives its resources back. A second call does nothing. */
  @Override
  void close();
}
