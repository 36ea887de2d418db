package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;

/** Reads of a whole store that belong together as far as {@link #guarantee} says. */
public interface ReadView {
  /** The table as seen by this view. */
  TableReader on(Table table);

  /** The typed table as seen by this view. */
  default <K, V> TypedReader<K, V> on(TypedTable<K, V> table) {
    return Arguments.given("on", "table", table).on(this);
  }

  /** What this view promises. */
  ReadGuarantee guarantee();
}
