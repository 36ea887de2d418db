package io.kvstadium.engine.lmdb;

import io.kvstadium.store.engine.EngineTable;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Dbi;

/**
 * A named LMDB database, or the unnamed one of another program.
 *
 * @param since the number of the transaction that made it; 0 if it was there when the store was
 *     opened: read transactions that began before it do not know its handle
 * @param shared whether another process may drop it and make it again
 * @param databases how many entries of the unnamed one are the records of named ones; -1 if it is a
 *     named one
 * @param keyBytes the length of each key, or 0 if it may be any
 * @param otherOrder what its keys are ordered by, if not their bytes
 */
record LmdbTable(
    String name,
    Dbi<Slice> dbi,
    long since,
    boolean shared,
    int databases,
    int keyBytes,
    @Nullable String otherOrder)
    implements EngineTable {
  /** A table that this engine made. */
  LmdbTable(String name, Dbi<Slice> dbi, long since, boolean shared) {
    this(name, dbi, since, shared, -1, 0, null);
  }

  /** Whether there may be named databases among its entries. */
  boolean isUnnamed() {
    return databases >= 0;
  }

  /** Whether the table can hold a key of this length; LMDB would read beyond the end of others. */
  boolean mayHold(byte[] key) {
    return keyBytes == 0 || key.length == keyBytes;
  }
}
