package io.kvstadium.engine.mvstore;

import io.kvstadium.store.engine.EngineTable;
import org.h2.mvstore.MVMap;

/**
 * A table and its map.
 *
 * @param map its map, whose arrays are shared with the page cache and never with a caller
 */
record MvstoreTable(String name, MVMap<byte[], byte[]> map) implements EngineTable {}
