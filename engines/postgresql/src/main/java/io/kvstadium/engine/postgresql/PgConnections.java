package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.engine.sql.ServerReader;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ConnectionPool;
import io.kvstadium.store.engine.help.ServerUrls;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * How to connect to a store's database.
 *
 * @param place for messages
 * @param schema the store's
 */
record PgConnections(
    String place,
    String url,
    String schema,
    Durability level,
    boolean readOnly,
    Properties properties)
    implements ConnectionPool.Kind<Connection, SQLException> {
  static final int LOCK_WAIT_MILLIS = 5_000;

  /** Options that only a private server has. */
  private static final List<String> PRIVATE = List.of("memory", "server", "shared_buffers");

  private static final int OLDEST = 12;
  private static final String PASSWORD = "PGPASSWORD";
  private static final String FORM = "write postgresql://user@host:port/database";

  static PgConnections of(StoreConfig config) {
    Options options = config.options();
    String location = config.location();
    URI uri = ServerUrls.parse("postgresql", location, FORM);
    String user = uri.getUserInfo();
    ServerUrls.checkUser("postgresql", user, PASSWORD);
    ServerUrls.checkPrivate("postgresql", PRIVATE, options);
    String path = uri.getPath();
    if (path == null || !path.matches("/[^/]{1,63}")) {
      throw new BadArgumentException("postgresql: '" + location + "' is not an address: " + FORM);
    }
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    String password = ServerUrls.password("postgresql", options.text("password_file"), PASSWORD);
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("sslmode", options.text("ssl_mode"));
    if (!options.text("ssl_root_cert").isEmpty()) {
      properties.setProperty("sslrootcert", options.text("ssl_root_cert"));
    }
    String authority = uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    return of(config, authority + path, authority + path, properties);
  }

  /** To the private server of a directory. */
  static PgConnections of(StoreConfig config, PrivateServer server, int port) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("user", Postgres.USER);
    properties.setProperty("password", Postgres.password(server));
    properties.setProperty("sslmode", "disable");
    return of(config, config.directory().toString(), "127.0.0.1:" + port + "/postgres", properties);
  }

  private static PgConnections of(
      StoreConfig config, String place, String address, Properties properties) {
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("prepareThreshold", "1"); // and so values come as they are, not as text
    properties.setProperty("ApplicationName", "kv-stadium");
    return new PgConnections(
        place,
        "jdbc:postgresql://" + address,
        config.options().text("schema"),
        config.durability(),
        config.readOnly(),
        properties);
  }

  /**
   * Opens a connection whose transactions are serializable. Scans follow the index: a scan of the
   * whole table would conflict with every write to it.
   */
  @Override
  public Connection connect() throws SQLException {
    // not by DriverManager, which does not look into the class loaders of engines' folders
    Connection connection = new Driver().connect(url, properties);
    if (connection == null) {
      throw new BadArgumentException("postgresql: '" + place + "' is not an address: " + FORM);
    }
    try {
      ServerReader.execute(
          connection,
          "SET default_transaction_isolation = serializable; SET enable_seqscan = off;"
              + " SET enable_bitmapscan = off; SET lock_timeout = "
              + LOCK_WAIT_MILLIS
              + (readOnly ? "; SET default_transaction_read_only = on" : "")
              + commitSetting(connection));
      return connection;
    } catch (SQLException | RuntimeException | Error e) {
      close(connection);
      throw e;
    }
  }

  private String commitSetting(Connection connection) throws SQLException {
    return switch (level) {
      case ENGINE_DEFAULT -> "";
      case NONE -> "; SET synchronous_commit = off";
      case PROCESS, CONSISTENT, POWER ->
          // what waits for standbys waits for the disk, too
          "off".equals(settings(connection).get("synchronous_commit"))
              ? "; SET synchronous_commit = on"
              : "";
    };
  }

  /** The server's settings that matter here. */
  static Map<String, String> settings(Connection connection) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync',"
                    + " 'full_page_writes', 'synchronous_commit', 'wal_sync_method',"
                    + " 'shared_buffers', 'max_wal_size', 'max_connections') ORDER BY name")) {
      while (rows.next()) {
        settings.put(rows.getString(1), rows.getString(2));
      }
    }
    return settings;
  }

  /** Refuses a server that is too old, or does not give the level. */
  void demand(Connection connection) throws SQLException {
    DatabaseMetaData server = connection.getMetaData();
    if (server.getDatabaseMajorVersion() < OLDEST) {
      throw new UnsupportedException(
          "postgresql: %s has PostgreSQL %s: use version %s or later"
              .formatted(place, server.getDatabaseProductVersion(), OLDEST));
    }
    Map<String, String> settings = settings(connection);
    for (String needed : new String[] {"fsync", "full_page_writes"}) {
      if (level == Durability.POWER && !"on".equals(settings.get(needed))) {
        throw new UnsupportedException(
            "postgresql: %s cannot give durability power: its server has %s=%s; set it to on there, or ask for less"
                .formatted(place, needed, settings.get(needed)));
      }
    }
  }

  @Override
  public boolean isUsable(Connection connection) {
    try {
      return !connection.isClosed() && connection.getAutoCommit();
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public boolean answers(Connection connection) {
    try {
      return connection.isValid(5);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void close(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // the server notices that it is gone
    }
  }
}
