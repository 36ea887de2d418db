package io.kvstadium.store.engine;

/** A table of an engine that needs to know no more than its name. */
public record NamedTable(String name) implements EngineTable {}
