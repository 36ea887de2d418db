package io.kvstadium.store.engine;

/** An engine's own handle for a table; opaque to the library. Lives as long as its store. */
public interface EngineTable {
  /** The table's name. */
  String name();
}
