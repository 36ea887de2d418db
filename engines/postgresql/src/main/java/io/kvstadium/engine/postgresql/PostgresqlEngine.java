package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.engine.sql.ServerReader;
import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ConnectionPool;
import io.kvstadium.store.engine.help.Interrupts;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: a server of the user's own, or a private one that comes with the store. */
public final class PostgresqlEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(PostgresqlEngine.class::getResourceAsStream, Postgres.VERSION);

  /** For {@link java.util.ServiceLoader}. */
  public PostgresqlEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String directory(String location, Options options) {
    return location.startsWith("//") ? null : location;
  }

  @Override
  public @Nullable String unavailable() {
    return Postgres.missing();
  }

  /** A server of the user's own needs no program. */
  @Override
  public @Nullable String unavailable(StoreConfig config) {
    if (config.path() != null) {
      Postgres.programFor(config.path(), config.options().text("server"));
    }
    return null;
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    Set<Capability> capabilities = EnumSet.copyOf(INFO.capabilities());
    if (config.path() != null) {
      capabilities.remove(Capability.CONCURRENT_READ_ONLY);
    }
    return capabilities;
  }

  @Override
  public boolean exists(StoreConfig config) throws SQLException {
    if (config.path() != null) {
      return Postgres.existsIn(config.path());
    }
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
    return named(connection, "SELECT tablename FROM pg_tables WHERE schemaname = ?", schema);
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
  public EngineStore<?> open(StoreConfig config) throws Exception {
    return config.path() == null
        ? open(config, PgConnections.of(config), null)
        : Interrupts.deferred(() -> openPrivate(config));
  }

  private static PgStore openPrivate(StoreConfig config)
      throws SQLException, IOException, InterruptedException {
    Options options = config.options();
    List<String> settings = new ArrayList<>();
    // for as many transactions, snapshots and scans besides
    settings.add("-cmax_connections=" + (2 * options.integer("connections") + 100));
    if (!Postgres.flushes(config.durability())) {
      settings.add("-cfsync=off");
      settings.add("-cfull_page_writes=off");
    }
    if (options.has("shared_buffers")) {
      settings.add("-cshared_buffers=" + options.size("shared_buffers") / 1024 + "kB");
    }
    Path directory = config.directory();
    Postgres program = Postgres.of(Postgres.programFor(directory, options.text("server")));
    PrivateServer server = PrivateServer.start(directory, program, settings.toArray(String[]::new));
    try {
      return open(config, PgConnections.of(config, server, program.port()), server);
    } catch (SQLException | IOException | RuntimeException | Error e) {
      try (server) {
        if (server.hasEnded()) {
          throw server.ended(e);
        }
        throw e;
      }
    }
  }

  private static PgStore open(
      StoreConfig config, PgConnections connections, @Nullable PrivateServer server)
      throws SQLException {
    ConnectionPool<Connection, SQLException> pool =
        new ConnectionPool<>(
            "postgresql",
            connections.place(),
            (int) config.options().integer("connections"),
            ConnectionPool.USUAL_WAIT,
            connections);
    PgStore store = new PgStore(connections, pool, server);
    boolean good = false;
    try {
      boolean missing =
          store.call(connection -> {
            connections.demand(connection);
            return !exists(connection, connections.schema());
          });
      if (missing && !config.readOnly()) {
        store.make("CREATE SCHEMA IF NOT EXISTS " + PgTable.quoted(connections.schema()));
      }
      good = true;
      return store;
    } finally {
      if (!good) {
        pool.close();
      }
    }
  }

  @Override
  public void destroy(StoreConfig config) throws Exception {
    if (config.path() != null) {
      PrivateServer.endLeftoverIn(config.path());
      return;
    }
    PgConnections connections = PgConnections.of(config);
    try (Connection connection = connections.connect()) {
      ServerReader.execute(
          connection, "DROP SCHEMA IF EXISTS " + PgTable.quoted(connections.schema()) + " CASCADE");
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return PgErrors.of(thrown, null);
  }
}
