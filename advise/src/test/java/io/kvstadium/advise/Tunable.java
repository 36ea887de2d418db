package io.kvstadium.advise;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.OptionSpec.Bounds;
import io.kvstadium.store.engine.declare.OptionSpec.Scope;
import io.kvstadium.store.engine.declare.OptionSpec.Tuning;
import io.kvstadium.store.engine.declare.Options;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fake engine with a cache, a filter and a block size that are worth trying. */
record Tunable(FakeEngine base) implements Engine {
  static Tunable named(String name) {
    return new Tunable(FakeEngine.able(name));
  }

  private static OptionSpec size(String name, Tuning tuning) {
    Bounds range = new Bounds("0", "1t");
    return new OptionSpec(
        name, OptionSpec.Type.SIZE, Scope.STORE, "", List.of(), range, "how large", tuning, null);
  }

  @Override
  public EngineInfo info() {
    EngineInfo own = base.info();
    return new EngineInfo(
        own.name(),
        own.title(),
        own.version(),
        own.licence(),
        own.description(),
        own.upstream(),
        own.onDisk(),
        own.capabilities(),
        own.limits(),
        own.durability(),
        List.of(
            size("cache", new Tuning("8m", true, List.of("data/4", "data"))),
            size("block", new Tuning("", false, List.of("16k"))),
            size("filter", new Tuning("", false, List.of("10")))),
        own.notes(),
        own.legacy());
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    return base.directory(location, options);
  }

  @Override
  public boolean exists(StoreConfig config) {
    return base.exists(config);
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return base.open(config);
  }
}
