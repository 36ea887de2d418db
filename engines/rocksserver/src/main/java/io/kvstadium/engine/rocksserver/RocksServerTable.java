package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.spi.EngineTable;

/** The only table. */
record RocksServerTable(String name) implements EngineTable {}
