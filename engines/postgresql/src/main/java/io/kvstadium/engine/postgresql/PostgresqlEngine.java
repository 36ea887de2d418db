package io.kvstadium.engine.postgresql;

import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.StoreConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: a server of the user's own. */
public final class PostgresqlEngine implements Engine {
  private static final Evidence MANUAL =
      Evidence.documented("https://www.postgresql.org/docs/current/wal-reliability.html");

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
          Capability.OPTIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY);

  /** For {@link java.util.ServiceLoader}. */
  public PostgresqlEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "postgresql",
        "PostgreSQL",
        "42.7.8 (driver)",
        "BSD-2-Clause (driver)",
        "The SQL server, one of your own: serializable transactions, snapshots, several clients.",
        "The PostgreSQL Global Development Group, with a major release a year"
            + " (https://www.postgresql.org).",
        false,
        CAPABILITIES,
        new Limits(2_600, 64 << 20),
        DurabilityMapping.levels(
            DurabilityMapping.none("synchronous_commit=off", Loss.SECONDS, Loss.SECONDS),
            DurabilityMapping.process("synchronous_commit=on", MANUAL),
            DurabilityMapping.power(
                "synchronous_commit=on; the server has fsync and full_page_writes on", MANUAL),
            DurabilityMapping.power("what the server has; its own default is that of power", MANUAL)
                .byDefault()),
        Declarations.options(PostgresqlEngine.class.getResourceAsStream("options.txt")),
        Declarations.notes(PostgresqlEngine.class.getResourceAsStream("notes.txt")));
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    return null;
  }

  @Override
  public boolean exists(StoreConfig config) throws SQLException {
    PgConnections connections = PgConnections.of(config);
    try (Connection connection = connections.connect()) {
      return exists(connection, connections.schema());
    }
  }

  private static boolean exists(Connection connection, String schema) throws SQLException {
    return !named(connection, "SELECT nspname FROM pg_namespace WHERE nspname = ?", schema)
        .isEmpty();
  }

  static Set<String> tables(Connection connection, String schema) throws SQLException {
    return named(connection, "SELECT tablename FROM pg_tables WHERE schemaname = ?", schema)
        .stream()
        .map(PgNames::read)
        .collect(Collectors.toSet());
  }

  private static Set<String> named(Connection connection, String sql, String schema)
      throws SQLException {
    Set<String> names = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, schema);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
    }
    return names;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws SQLException {
    PgConnections connections = PgConnections.of(config);
    ConnectionPool<Connection, SQLException> pool =
        new ConnectionPool<>(
            "postgresql", (int) config.options().integer("connections"), connections);
    PgStore store = new PgStore(connections, pool);
    boolean good = false;
    try {
      boolean missing =
          pool.<Boolean>call(connection -> {
            connections.demandLevel(connection);
            return !exists(connection, connections.schema());
          });
      if (missing && !config.readOnly()) {
        store.make("CREATE SCHEMA IF NOT EXISTS " + PgTable.quoted(connections.schema()));
      }
      good = true;
      return store;
    } finally {
      if (!good) {
        store.close();
      }
    }
  }

  @Override
  public void destroy(StoreConfig config) throws SQLException {
    PgConnections connections = PgConnections.of(config);
    try (Connection connection = connections.connect()) {
      PgConnections.execute(
          connection, "DROP SCHEMA IF EXISTS " + PgTable.quoted(connections.schema()) + " CASCADE");
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return PgErrors.of(thrown);
  }
}
