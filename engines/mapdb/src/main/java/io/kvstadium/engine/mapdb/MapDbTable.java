package io.kvstadium.engine.mapdb;

import io.kvstadium.store.engine.EngineTable;
import java.util.concurrent.ConcurrentMap;
import org.mapdb.DB;

/** An open file, and the map in it. */
record MapDbTable(String name, DB file, ConcurrentMap<byte[], byte[]> map) implements EngineTable {}
