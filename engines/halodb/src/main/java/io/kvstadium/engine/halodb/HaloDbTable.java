package io.kvstadium.engine.halodb;

import io.kvstadium.store.spi.EngineTable;

/** The only one there is. */
record HaloDbTable(String name) implements EngineTable {}
