package io.kvstadium.store.engine;

/** An engine's own handle for a table; opaque to the library. Lives as long as its store. */
public interface EngineTable {
  /** The table's name. */
  String name();

  /**
   * Whether the table is for conditional writes that hold against all clients, including those in
   * other processes. The library then makes each of them by {@link EngineStore#exchange}, and all
   * other writes to the table are such that they cannot come in between.
   */
  default boolean isConditional() {
    return false;
  }
}
