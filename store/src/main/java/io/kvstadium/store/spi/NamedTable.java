package io.kvstadium.store.spi;

/** A table of an engine that needs to know no more than its name. */
public record NamedTable(String name) implements EngineTable {}
