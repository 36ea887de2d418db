package io.kvstadium.engine.nothing;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;

/** Stores nothing. */
public final class NullEngine implements Engine {
  static final EngineInfo INFO = Declarations.info(NullEngine.class::getResourceAsStream);

  /** For the service loader. */
  public NullEngine() {}

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
    long size = config.options().size("value_size");
    return new NullStore(config.options().bool("hit") ? new byte[(int) size] : null);
  }
}
