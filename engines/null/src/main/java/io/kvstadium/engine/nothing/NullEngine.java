package io.kvstadium.engine.nothing;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.StoreConfig;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Stores nothing. */
public final class NullEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(Capability.WRITE, Capability.TABLES, Capability.BATCH, Capability.EMPTY_KEY);

  private static final DurabilityMapping NONE = DurabilityMapping.none("nothing is kept");

  private static final EngineInfo INFO =
      new EngineInfo(
          "null",
          "Null",
          "1",
          "Apache-2.0",
          "Accepts and returns at once: measures the measuring.",
          "Part of KV Stadium.",
          false,
          CAPABILITIES,
          new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
          Map.of(Durability.NONE, NONE, Durability.ENGINE_DEFAULT, NONE),
          Declarations.options(NullEngine.class.getResourceAsStream("options.txt")),
          Declarations.notes(NullEngine.class.getResourceAsStream("notes.txt")));

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
