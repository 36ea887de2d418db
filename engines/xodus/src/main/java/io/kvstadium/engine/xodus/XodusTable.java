package io.kvstadium.engine.xodus;

import io.kvstadium.store.engine.EngineTable;
import jetbrains.exodus.env.Store;

/** An open store of the environment, as Xodus calls a table. */
record XodusTable(String name, Store store) implements EngineTable {}
