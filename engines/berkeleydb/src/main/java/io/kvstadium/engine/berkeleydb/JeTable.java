package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Database;
import io.kvstadium.store.engine.EngineTable;

/** An open database of the environment. */
record JeTable(String name, Database database) implements EngineTable {}
