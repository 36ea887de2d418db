package io.kvstadium.engine.mvstore;

import io.kvstadium.store.spi.EngineTable;
import org.h2.mvstore.MVMap;

/**
 * A table and its map.
 *
 * @param map its arrays are shared with the page cache: none of them comes from or goes to a caller
 */
record MvstoreTable(String name, MVMap<byte[], byte[]> map) implements EngineTable {}
