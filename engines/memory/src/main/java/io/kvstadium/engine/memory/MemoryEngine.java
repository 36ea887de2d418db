package io.kvstadium.engine.memory;

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
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stores on the heap that vanish when closed; each open makes a new one. */
public final class MemoryEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.OPTIMISTIC_TRANSACTION,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS,
          Capability.SNAPSHOT,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT);

  private static final DurabilityMapping NONE =
      DurabilityMapping.none("entries are on the heap only");

  private static final EngineInfo INFO =
      new EngineInfo(
          "memory",
          "Memory",
          "1",
          "Apache-2.0",
          "Persistent sorted maps on the heap: the reference semantics, and a store for tests.",
          "Part of KV Stadium.",
          false,
          CAPABILITIES,
          new Limits(Limits.MAX_ARRAY, Limits.MAX_ARRAY),
          Map.of(Durability.NONE, NONE, Durability.ENGINE_DEFAULT, NONE),
          List.of(),
          Declarations.notes(MemoryEngine.class.getResourceAsStream("notes.txt")));

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
