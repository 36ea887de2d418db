package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A keyspace of an Apache Cassandra cluster. */
public final class CassandraEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          CassandraEngine.class::getResourceAsStream,
          LibraryVersion.of(() -> CqlSession.class, "java-driver-core"));

  /** For {@link java.util.ServiceLoader}. */
  public CassandraEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
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
