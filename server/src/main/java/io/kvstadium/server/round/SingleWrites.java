package io.kvstadium.server.round;

import io.kvstadium.store.BatchTable;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;

/** Writes one by one, for engines without batches. */
record SingleWrites(Table table) implements BatchTable {
  @Override
  public void put(byte[] key, byte[] value) {
    table.put(key, value);
  }

  @Override
  public void delete(byte[] key) {
    table.delete(key);
  }

  @Override
  public void delete(Range range) {
    table.delete(range);
  }
}
