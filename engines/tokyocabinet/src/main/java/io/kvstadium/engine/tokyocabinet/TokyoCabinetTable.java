package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.spi.EngineTable;

/** The only table: a file of the library has no tables. */
record TokyoCabinetTable(String name) implements EngineTable {}
