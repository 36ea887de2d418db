package io.kvstadium.engine.memory;

import io.kvstadium.store.spi.EngineTable;

/** A table is no more than the name under which a {@link Root} keeps its entries. */
record MemoryTable(String name) implements EngineTable {}
