package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.spi.EngineTable;
import org.rocksdb.ColumnFamilyHandle;

/** A column family. */
record RocksDbTable(String name, ColumnFamilyHandle family) implements EngineTable {}
