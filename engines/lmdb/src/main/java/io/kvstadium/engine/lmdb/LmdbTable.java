package io.kvstadium.engine.lmdb;

import io.kvstadium.store.spi.EngineTable;
import org.lmdbjava.Dbi;

/**
 * A named LMDB database.
 *
 * @param since the number of the transaction that made it, or that opened it beside a writer; 0 if
 *     it was there when the store was opened: read transactions that began before it do not know
 *     its handle
 * @param shared whether another process may drop it and make it again
 */
record LmdbTable(String name, Dbi<Slice> dbi, long since, boolean shared) implements EngineTable {}
