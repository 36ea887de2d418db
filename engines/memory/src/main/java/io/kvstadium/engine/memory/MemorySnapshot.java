package io.kvstadium.engine.memory;

import io.kvstadium.store.spi.EngineSnapshot;

/** A root that is kept. */
record MemorySnapshot(Root root) implements RootReader, EngineSnapshot<MemoryTable> {
  @Override
  public void close() {}
}
