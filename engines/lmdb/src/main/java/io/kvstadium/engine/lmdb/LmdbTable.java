package io.kvstadium.engine.lmdb;

import io.kvstadium.store.engine.EngineTable;
import org.lmdbjava.Dbi;

/**
 * A named LMDB database, or the unnamed one of another program.
 *
 * @param since the number of the transaction that made it; 0 if it was there when the store was
 *     opened: read transactions that began before it do not know its handle
 */
record LmdbTable(String name, Dbi<Slice> dbi, long since) implements EngineTable {}
