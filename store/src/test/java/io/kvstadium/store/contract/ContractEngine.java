package io.kvstadium.store.contract;

import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An engine between the library and another one: it demands of each call what the page of {@link
 * io.kvstadium.store.engine} promises, and lets it through.
 */
final class ContractEngine implements Engine {
  private final Engine engine;
  private final Contract contract = new Contract();

  ContractEngine(Engine engine) {
    this.engine = engine;
  }

  void assertKept() {
    contract.assertKept();
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws Exception {
    return new WatchedStore(
            contract, engine.info().limits(), engine.capabilities(config), engine.open(config))
        .proxy();
  }

  @Override
  public EngineInfo info() {
    return engine.info();
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    return engine.directory(location, options);
  }

  @Override
  public void check(StoreConfig config) {
    engine.check(config);
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    return engine.capabilities(config);
  }

  @Override
  public boolean exists(StoreConfig config) throws Exception {
    return engine.exists(config);
  }

  @Override
  public void destroy(StoreConfig config) throws Exception {
    engine.destroy(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return engine.classify(config, thrown);
  }
}
