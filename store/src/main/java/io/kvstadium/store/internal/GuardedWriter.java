package io.kvstadium.store.internal;

import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineWriter;
import io.kvstadium.store.engine.KeyLocks;

/** Single writes to a store without transactions, which conditional writes must exclude. */
record GuardedWriter<T extends EngineTable>(EngineWriter<T> writer, KeyLocks locks)
    implements EngineWriter<T> {

  @Override
  public void put(T table, byte[] key, byte[] value) throws Exception {
    long keys = KeyLocks.of(table, key);
    locks.lockShared(keys);
    try {
      writer.put(table, key, value);
    } finally {
      locks.unlockShared(keys);
    }
  }

  @Override
  public void delete(T table, byte[] key) throws Exception {
    long keys = KeyLocks.of(table, key);
    locks.lockShared(keys);
    try {
      writer.delete(table, key);
    } finally {
      locks.unlockShared(keys);
    }
  }
}
