package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;

/**
 * Collects writes, over any tables of one store, that {@link Store#write} then applies atomically.
 * Valid only inside the block of {@code write}, on its thread; reads do not see what it holds.
 */
public interface Batch {
  /** The table as a target of this batch. */
  BatchTable on(Table table);

  /** The typed table as a target of this batch. */
  default <K, V> TypedBatchTable<K, V> on(TypedTable<K, V> table) {
    return Arguments.given("on", "table", table).on(this);
  }
}
