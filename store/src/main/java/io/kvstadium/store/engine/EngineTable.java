package io.kvstadium.store.engine;

import org.jspecify.annotations.Nullable;

/** An engine's own handle for a table; opaque to the library. Lives as long as its store. */
public interface EngineTable {
  /** The table's name. */
  String name();

  /**
   * The order in which a scan of the whole table gives the keys, in words that follow "their order
   * is": {@code null} for that of unsigned bytes, which {@link
   * io.kvstadium.store.Capability#ORDERED_SCAN} promises. A different order is only for tables that
   * another program made; the library then refuses writes, and all scans but those of the whole
   * table.
   */
  default @Nullable String otherOrder() {
    return null;
  }

  /**
   * Whether the table is for conditional writes that hold against all clients, including those in
   * other processes. The library then makes each of them by {@link EngineStore#exchange}, and all
   * other writes to the table are such that they cannot come in between.
   */
  default boolean isConditional() {
    return false;
  }
}
