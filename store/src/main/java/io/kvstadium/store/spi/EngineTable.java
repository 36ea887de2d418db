package io.kvstadium.store.spi;

/** An engine's own handle of a table; opaque to the library. Lives as long as its store. */
public interface EngineTable {
  /** The table's name. */
  String name();
}
