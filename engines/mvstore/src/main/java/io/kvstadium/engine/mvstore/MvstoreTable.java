package io.kvstadium.engine.mvstore;

import io.kvstadium.store.spi.EngineTable;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/**
 * A table and its map.
 *
 * @param map its map, whose arrays are shared with the page cache and never with a caller
 * @param otherOrder what its keys are ordered by, if not their bytes
 */
record MvstoreTable(String name, MVMap<byte[], byte[]> map, @Nullable String otherOrder)
    implements EngineTable {
  /** A table that this engine made. */
  MvstoreTable(String name, MVMap<byte[], byte[]> map) {
    this(name, map, null);
  }
}
