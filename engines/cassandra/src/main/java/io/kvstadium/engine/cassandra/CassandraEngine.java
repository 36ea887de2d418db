package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.StoreConfig;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A keyspace of an Apache Cassandra cluster. */
public final class CassandraEngine implements Engine {
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY);

  private static final Limits LIMITS = new Limits(0xffff, 4 << 20);

  /** For {@link java.util.ServiceLoader}. */
  public CassandraEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "cassandra",
        "Apache Cassandra",
        "4.19.3",
        "Apache-2.0",
        "A keyspace of a Cassandra cluster: data on several machines, which outlives the loss of one.",
        "The version is that of the client, the Apache Cassandra Java driver. Both are of the Apache"
            + " Software Foundation, with several releases a year (https://cassandra.apache.org).",
        false,
        CAPABILITIES,
        LIMITS,
        durability(),
        CassandraOptions.ALL,
        Declarations.notes(CassandraEngine.class.getResourceAsStream("notes.txt")));
  }

  private static Map<Durability, DurabilityMapping> durability() {
    DurabilityMapping none = DurabilityMapping.none("whatever the nodes have");
    return DurabilityMapping.levels(
        none,
        DurabilityMapping.power(
            "commitlog_sync group or batch on every node, durable_writes of the keyspace",
            Evidence.documented(
                "https://cassandra.apache.org/doc/5.0/cassandra/architecture/storage-engine.html")),
        none.byDefault());
  }

  private static Address address(StoreConfig config) {
    return Address.of(config.location(), config.options());
  }

  @Override
  public void check(StoreConfig config) {
    address(config);
  }

  @Override
  public boolean exists(StoreConfig config) {
    Address address = address(config);
    try (CqlSession session = address.connect()) {
      return new Schema(session, address.keyspace()).hasStore();
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return CassandraStore.open(config, address(config), InstantSource.system());
  }

  @Override
  public void destroy(StoreConfig config) {
    Address address = address(config);
    try (CqlSession session = address.connect()) {
      new Schema(session, address.keyspace()).drop();
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return CassandraErrors.of(thrown);
  }
}
