package io.kvstadium.store.engine.help;

import io.kvstadium.store.engine.EngineTable;

/** A table of an engine that needs to know no more than its name. */
public record NamedTable(String name) implements EngineTable {}
