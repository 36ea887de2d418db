package io.kvstadium.engine.rocksjava;

import io.kvstadium.store.engine.EngineTable;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/**
 * A column family.
 *
 * @param id its number
 * @param otherOrder what its keys are ordered by, if not their bytes
 */
record RocksDbTable(
    String name,
    ColumnFamilyHandle family,
    int id,
    @Nullable String otherOrder,
    RocksDbOptions.DiskNeeds needs)
    implements EngineTable {}
