package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Interrupts;
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.StoreConfig;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** MySQL and MariaDB: the user's own server, or a private one that comes with the store. */
public final class MysqlEngine implements Engine {
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
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
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  /** For {@link java.util.ServiceLoader}. */
  public MysqlEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "mysql",
        "MySQL and MariaDB",
        MariaDb.VERSION,
        "GPL-2.0-only",
        "The SQL servers with InnoDB: one of your own, or a private MariaDB in the store's directory.",
        "MariaDB is maintained by the MariaDB Foundation and MariaDB plc, MySQL by Oracle, both with"
            + " several releases a year (https://mariadb.org, https://www.mysql.com).",
        true,
        CAPABILITIES,
        MysqlTable.Form.KV.limits(),
        durability(),
        MysqlOptions.ALL,
        Declarations.notes(MysqlEngine.class.getResourceAsStream("notes.txt")).stream()
            .map(note -> note.replace("{version}", MariaDb.VERSION))
            .toList());
  }

  private static Map<Durability, DurabilityMapping> durability() {
    String variable = "innodb_flush_log_at_trx_commit=";
    Evidence manual = Evidence.documented("https://mariadb.com/kb/en/innodb-system-variables/");
    DurabilityMapping synced = DurabilityMapping.power(variable + 1, manual);
    return DurabilityMapping.levels(
        DurabilityMapping.none(
            variable + "0 (on a server of your own: whatever it has)", Loss.SECONDS, Loss.SECONDS),
        DurabilityMapping.process(variable + "2 (on a server of your own: that, or 1)", manual),
        synced,
        synced.byDefault());
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
      MariaDb.of(config.options().text(MysqlOptions.SERVER));
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
    Set<Capability> capabilities = EnumSet.copyOf(CAPABILITIES);
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
        MysqlTable.Form.of(config.options().text(MysqlOptions.SCHEMA)).limits());
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
