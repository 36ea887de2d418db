package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.EngineTable;
import org.rocksdb.ColumnFamilyHandle;

/**
 * A column family.
 *
 * @param id its number
 */
record RocksDbTable(String name, ColumnFamilyHandle family, int id, RocksDbOptions.DiskNeeds needs)
    implements EngineTable {}
