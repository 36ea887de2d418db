package io.kvstadium.engine.memory;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;

/** Stores on the heap that vanish when closed; each open makes a new one. */
public final class MemoryEngine implements Engine {
  static final EngineInfo INFO = Declarations.info(MemoryEngine.class::getResourceAsStream);

  /** For the service loader. */
  public MemoryEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return false;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new MemoryStore();
  }
}
