package io.kvstadium.engine.memory;

import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.help.NamedTable;

/** A root that is kept. */
record MemorySnapshot(Root root) implements RootReader, EngineSnapshot<NamedTable> {
  @Override
  public void close() {}
}
