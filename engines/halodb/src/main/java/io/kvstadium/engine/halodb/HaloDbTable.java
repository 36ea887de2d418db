package io.kvstadium.engine.halodb;

import io.kvstadium.store.spi.EngineTable;

/** The only table. */
record HaloDbTable(String name) implements EngineTable {}
