package io.kvstadium.engine.mysql;

import com.mysql.cj.jdbc.Driver;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.engine.sql.ServerReader;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.Interrupts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A database with its connections, and its server if that is private. */
final class MysqlDatabase implements AutoCloseable {
  /** Lists the tables of the store; a database without it holds no store. */
  static final String CATALOG = "kv_stadium";

  /** Options that set the variables of a private server. */
  static final List<String> VARIABLES = List.of("innodb_buffer_pool_size", "innodb_log_file_size");

  private final @Nullable PrivateServer server;
  private final HikariDataSource pool;
  private final Map<String, String> variables;

  private MysqlDatabase(
      @Nullable PrivateServer server, HikariDataSource pool, Map<String, String> variables) {
    this.server = server;
    this.pool = pool;
    this.variables = variables;
  }

  static MysqlDatabase open(StoreConfig config)
      throws SQLException, IOException, InterruptedException {
    if (config.path() == null) {
      return open(config, Address.of(config.location(), config.options()), null);
    }
    PrivateServer server = startServer(config, config.directory());
    try {
      return open(config, Address.of(config.directory(), server), server);
    } catch (SQLException | RuntimeException | Error e) {
      try (server) {
        if (server.hasEnded()) {
          throw server.ended(e);
        }
        throw e;
      }
    }
  }

  private static PrivateServer startServer(StoreConfig config, Path directory)
      throws IOException, InterruptedException {
    List<String> settings = new ArrayList<>();
    int flush = flushAtCommit(config.durability());
    settings.add("--innodb-flush-log-at-trx-commit=" + flush);
    settings.add("--max-allowed-packet=1G");
    settings.add("--max-connections=" + (config.options().integer("connections") + 10));
    for (String variable : VARIABLES) {
      if (config.options().has(variable)) {
        settings.add("--" + variable + "=" + config.options().size(variable));
      }
    }
    MariaDb program = MariaDb.of(config.options().text("server"));
    return PrivateServer.start(directory, program, settings.toArray(String[]::new));
  }

  private static MysqlDatabase open(
      StoreConfig config, Address address, @Nullable PrivateServer server) throws SQLException {
    try (Connection connection = connect(address)) {
      Map<String, String> variables = variables(connection);
      if (server != null) {
        variables.put("server_program", server.program());
      }
      demand(config.durability(), variables, address.place());
      if (config.readOnly()) {
        connection.setCatalog(address.database());
      } else {
        prepare(connection, address);
      }
      return new MysqlDatabase(server, pool(config, address), variables);
    }
  }

  private static Connection connect(Address address) throws SQLException {
    // not by DriverManager, which does not look into the class loaders of engines' folders
    return new Driver().connect(address.url(), address.properties());
  }

  private static HikariDataSource pool(StoreConfig config, Address address) {
    HikariConfig pool = new HikariConfig();
    pool.setDriverClassName(Driver.class.getName());
    pool.setJdbcUrl(address.url() + address.database());
    pool.setDataSourceProperties(address.properties());
    pool.setMaximumPoolSize((int) config.options().integer("connections"));
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(5_000);
    pool.setInitializationFailTimeout(-1); // one connection has shown that it works
    pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ"); // snapshots need it
    pool.setReadOnly(config.readOnly());
    return new HikariDataSource(pool);
  }

  // ---- the server's settings

  /** The setting of a private server for a level. */
  static int flushAtCommit(Durability level) {
    return switch (level) {
      case NONE -> 0;
      case PROCESS -> 2;
      case CONSISTENT, POWER, ENGINE_DEFAULT -> 1;
    };
  }

  private static Map<String, String> variables(Connection connection) throws SQLException {
    return named(
        connection,
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'version_comment',"
            + " 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'log_bin',"
            + " 'sync_binlog', 'max_allowed_packet', 'innodb_buffer_pool_size',"
            + " 'innodb_log_file_size', 'innodb_flush_method')");
  }

  /** Rows of a name and a value. */
  static Map<String, String> named(Connection connection, String sql) throws SQLException {
    Map<String, String> values = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        values.put(result.getString(1), result.getString(2));
      }
    }
    return values;
  }

  /** Refuses a level that the server does not give. */
  private static void demand(Durability level, Map<String, String> variables, String place) {
    String flush = variables.getOrDefault("innodb_flush_log_at_trx_commit", "");
    boolean synced = flush.equals("1") || flush.equals("3");
    if ((level == Durability.PROCESS && !synced && !flush.equals("2"))
        || (level == Durability.POWER && !synced)) {
      throw new UnsupportedException(
          ("mysql: %s cannot give durability %s: its server has"
                  + " innodb_flush_log_at_trx_commit=%s; set it to %s there, or ask for less")
              .formatted(place, level.word(), flush, flushAtCommit(level)));
    }
    boolean logged = variables.getOrDefault("log_bin", "OFF").equals("ON");
    if (level == Durability.POWER && logged && !"1".equals(variables.get("sync_binlog"))) {
      throw new UnsupportedException(
          "mysql: "
              + place
              + " cannot give durability power: what its server's binary log loses is rolled back;"
              + " set sync_binlog=1 there, or ask for less");
    }
  }

  // ---- the database and the list of its tables

  private static void prepare(Connection connection, Address address) throws SQLException {
    try {
      connection.setCatalog(address.database());
    } catch (SQLException e) {
      if (!MysqlErrors.isNoSuchDatabase(e)) {
        throw e;
      }
      ServerReader.execute(
          connection, "CREATE DATABASE IF NOT EXISTS " + quoted(address.database()));
      connection.setCatalog(address.database());
    }
    List<String> present = tablesIn(connection);
    if (present.contains(CATALOG)) {
      catalog(connection).values().forEach(table -> present.remove(table.sqlName));
      present.remove(CATALOG);
    }
    if (!present.isEmpty()) {
      throw new BadArgumentException(
          "mysql: %s holds tables that are not a store's (%s): use a separate database"
              .formatted(
                  address.place(),
                  String.join(", ", present.subList(0, Math.min(5, present.size())))));
    }
    ServerReader.execute(
        connection,
        "CREATE TABLE IF NOT EXISTS "
            + CATALOG
            + " (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARBINARY(64) NOT NULL UNIQUE,"
            + " form VARCHAR(16) NOT NULL) ENGINE=InnoDB");
  }

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private static List<String> tablesIn(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SHOW TABLES")) {
      while (result.next()) {
        names.add(result.getString(1));
      }
    }
    return names;
  }

  /** The store's tables by name. */
  static Map<String, MysqlTable> tables(Connection connection) throws SQLException {
    Map<String, MysqlTable> tables = catalog(connection);
    List<String> present = tablesIn(connection);
    tables.values().removeIf(table -> !present.contains(table.sqlName));
    return tables;
  }

  /**
   * The tables that are listed as the store's, by name. A crash during making or dropping may leave
   * a table that is listed but does not exist.
   */
  static Map<String, MysqlTable> catalog(Connection connection) throws SQLException {
    Map<String, MysqlTable> tables = new TreeMap<>();
    try (PreparedStatement statement =
            connection.prepareStatement("SELECT name, id, form FROM " + CATALOG);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        String name = new String(result.getBytes(1), StandardCharsets.UTF_8);
        MysqlTable.Form form = MysqlTable.Form.of(result.getString(3));
        tables.put(name, new MysqlTable(name, result.getLong(2), form));
      }
    }
    return tables;
  }

  /** Whether a store is in the database of a user's own server. */
  static boolean existsOn(Address address) throws SQLException {
    return find(address, connection -> true);
  }

  /** Removes the store's tables from the database of a user's own server. */
  static void destroyOn(Address address) throws SQLException {
    find(
        address,
        connection -> {
          for (MysqlTable table : catalog(connection).values()) {
            ServerReader.execute(connection, "DROP TABLE IF EXISTS " + table.quoted());
          }
          ServerReader.execute(connection, "DROP TABLE " + CATALOG);
          return true;
        });
  }

  /** The answer for the store there, or false if there is no store. */
  private static boolean find(Address address, ServerReader.Query<Boolean> query)
      throws SQLException {
    try (Connection connection = connect(address)) {
      connection.setCatalog(address.database());
      return tablesIn(connection).contains(CATALOG) && query.on(connection);
    } catch (SQLException e) {
      if (MysqlErrors.isNoSuchDatabase(e)) {
        return false;
      }
      throw e;
    }
  }

  // ---- connections

  /** What a failed call means. */
  @Nullable Failure classify(Throwable thrown) {
    return MysqlErrors.of(thrown, server);
  }

  /** The server's variables when the store was opened. */
  Map<String, String> variables() {
    return variables;
  }

  /** The memory of the server if it is private. */
  Map<String, Long> memory() {
    return server == null ? Map.of() : server.memory();
  }

  /** Takes a connection, for the caller alone until it is closed, outside any transaction. */
  Connection take() throws SQLException {
    if (server != null && !server.isAlive()) {
      throw server.ended(null);
    }
    return Interrupts.deferred(
        pool::getConnection, e -> e.getCause() instanceof InterruptedException);
  }

  /**
   * Gives a connection back.
   *
   * @param clean whether its transaction is over; otherwise it is rolled back
   */
  void give(Connection connection, boolean clean) {
    try {
      if (!clean) {
        ServerReader.execute(connection, "ROLLBACK");
      }
      connection.close();
    } catch (SQLException _) {
      pool.evictConnection(connection); // the server rolls back what its client has left
    }
  }

  @Override
  public void close() throws IOException {
    try (PrivateServer _ = server) {
      pool.close();
    }
  }
}
