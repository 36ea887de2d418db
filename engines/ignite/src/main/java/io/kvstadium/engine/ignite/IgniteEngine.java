package io.kvstadium.engine.ignite;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.StoreConfig;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.client.IgniteClient;
import org.jspecify.annotations.Nullable;

/** A zone of an Apache Ignite 3 cluster. */
public final class IgniteEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY);

  private static final Limits LIMITS = new Limits(0xffff, 4 << 20);

  private static final Evidence DOCUMENTED =
      Evidence.documented(
          "https://ignite.apache.org/docs/ignite3/latest/administrators-guide/config/node-config");

  /** For {@link java.util.ServiceLoader}. */
  public IgniteEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "ignite",
        "Apache Ignite 3",
        "3.1.0",
        "Apache-2.0",
        "A zone of an Ignite cluster: data on several machines, with transactions over all of it.",
        "The version is that of the client. Ignite is of the Apache Software Foundation; Ignite 3 was"
            + " written anew and has one or two releases a year (https://ignite.apache.org).",
        false,
        CAPABILITIES,
        LIMITS,
        durability(),
        IgniteOptions.ALL,
        List.of("todo"));
  }

  private static Map<Durability, DurabilityMapping> durability() {
    DurabilityMapping none = DurabilityMapping.none("whatever the nodes have");
    return DurabilityMapping.levels(
        none,
        DurabilityMapping.process("persistent storage on every node", DOCUMENTED),
        DurabilityMapping.power("raft.fsync=true and persistent storage on every node", DOCUMENTED),
        none.byDefault());
  }

  private static Address address(StoreConfig config) {
    return Address.of(config.location(), config.options());
  }

  @Override
  public void check(StoreConfig config) {
    address(config).rest();
  }

  @Override
  public boolean exists(StoreConfig config) {
    Address address = address(config);
    try (IgniteClient client = address.connect()) {
      return new Schema(client, address.zone()).hasStore();
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return IgniteStore.open(config, address(config));
  }

  @Override
  public void destroy(StoreConfig config) {
    Address address = address(config);
    try (IgniteClient client = address.connect()) {
      new Schema(client, address.zone()).drop();
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return IgniteErrors.of(thrown);
  }
}
