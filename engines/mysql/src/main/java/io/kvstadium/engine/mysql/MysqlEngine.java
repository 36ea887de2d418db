package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Interrupts;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** MySQL and MariaDB: the user's own server, or a private one that comes with the store. */
public final class MysqlEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(MysqlEngine.class::getResourceAsStream, MariaDb.VERSION);

  /** For {@link java.util.ServiceLoader}. */
  public MysqlEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    return Address.isServer(location) ? null : location;
  }

  @Override
  public @Nullable String unavailable() {
    return MariaDb.missing();
  }

  /** A server of the user's own needs no program. */
  @Override
  public @Nullable String unavailable(StoreConfig config) {
    if (config.path() != null) {
      MariaDb.of(config.options().text("server"));
    }
    return null;
  }

  @Override
  public boolean exists(StoreConfig config) throws SQLException {
    return config.path() != null
        ? MariaDb.existsIn(config.path())
        : MysqlDatabase.existsOn(Address.of(config.location(), config.options()));
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    Set<Capability> capabilities = EnumSet.copyOf(INFO.capabilities());
    if (config.path() != null) {
      capabilities.remove(Capability.CONCURRENT_READ_ONLY);
      // after a power cut in ALTER TABLE the server may not start: see docs/durability.md
      capabilities.remove(Capability.COMPACT);
    }
    return capabilities;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws Exception {
    return new MysqlStore(
        Interrupts.deferred(() -> MysqlDatabase.open(config)),
        MysqlTable.Form.of(config.options().text("schema")).limits());
  }

  @Override
  public void destroy(StoreConfig config) throws Exception {
    if (config.path() == null) {
      MysqlDatabase.destroyOn(Address.of(config.location(), config.options()));
    } else {
      PrivateServer.endLeftoverIn(config.path());
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return MysqlErrors.of(thrown, null);
  }
}
