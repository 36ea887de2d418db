package io.kvstadium.engine.mapdb;

import io.kvstadium.store.engine.EngineTable;
import org.mapdb.BTreeMap;
import org.mapdb.DB;

/** An open file, and the map in it. */
record MapDbTable(String name, DB file, BTreeMap<byte[], byte[]> map) implements EngineTable {}
