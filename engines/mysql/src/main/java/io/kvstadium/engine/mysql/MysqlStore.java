package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.ServerStore;
import io.kvstadium.engine.sql.ServerTransaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Interrupts;
import io.kvstadium.store.engine.help.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An open database. */
final class MysqlStore extends ServerStore<MysqlTable> {
  private static final Map<String, List<String>> STALLS =
      Map.of(
          "Innodb_buffer_pool_wait_free",
          List.of("waits for a clean page of the pool", "set innodb_buffer_pool_size higher"),
          "Innodb_log_waits",
          List.of("waits for room in the log's buffer", "set innodb_log_buffer_size higher"));

  private final MysqlDatabase database;
  private final Limits limits;
  private final ReentrantLock syncing = new ReentrantLock();

  MysqlStore(MysqlDatabase database, Limits limits) {
    this.database = database;
    this.limits = limits;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public String identity() throws SQLException {
    return call(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir, DATABASE())")) {
        row.next();
        return row.getString(1);
      }
    });
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return database.classify(thrown);
  }

  @Override
  protected boolean isLost(SQLException e) {
    return MysqlErrors.isLost(e);
  }

  @Override
  public <R> R call(Query<R> query) throws SQLException {
    return Interrupts.deferred(() -> attempt(query));
  }

  /** A write that the server rolls back to resolve a deadlock is tried again. */
  private <R> R attempt(Query<R> query) throws SQLException {
    Retry retry = new Retry(Retry.USUAL);
    while (true) {
      try (Connection connection = database.take()) {
        return query.on(connection);
      } catch (SQLException e) {
        if (!MysqlErrors.isDeadlock(e) || !retry.again()) {
          throw e;
        }
      }
    }
  }

  @Override
  protected <R> R together(Query<R> query) throws SQLException {
    return call(connection -> {
      execute(connection, "START TRANSACTION");
      try {
        R result = query.on(connection);
        execute(connection, "COMMIT");
        return result;
      } catch (SQLException | RuntimeException e) {
        try {
          execute(connection, "ROLLBACK");
        } catch (SQLException broken) { // the server rolls back what its client has left
          e.addSuppressed(broken);
        }
        throw e;
      }
    });
  }

  // ---- tables

  @Override
  public Set<String> tables() throws SQLException {
    return call(MysqlDatabase::tables).keySet();
  }

  @Override
  public @Nullable MysqlTable openTable(String name, Options options, boolean create)
      throws SQLException {
    return call(connection -> open(connection, name, options, create)).orElse(null);
  }

  static Optional<MysqlTable> open(
      Connection connection, String name, Options options, boolean create) throws SQLException {
    if (!create) {
      return Optional.ofNullable(MysqlDatabase.tables(connection).get(name));
    }
    MysqlTable table = MysqlDatabase.catalog(connection).get(name);
    if (table == null) {
      register(connection, name, options.text("schema"));
      table = MysqlDatabase.catalog(connection).get(name);
    }
    if (table != null) {
      execute(connection, table.creation());
    }
    return Optional.ofNullable(table);
  }

  private static void register(Connection connection, String name, String schema)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT IGNORE INTO " + MysqlDatabase.CATALOG + " (name, form) VALUES (?, ?)")) {
      statement.setBytes(1, name.getBytes(StandardCharsets.UTF_8));
      statement.setString(2, schema);
      statement.executeUpdate();
    }
  }

  @Override
  public void dropTable(MysqlTable table) throws SQLException {
    call(connection -> {
      execute(connection, "DROP TABLE IF EXISTS " + table.quoted());
      try (PreparedStatement statement =
          connection.prepareStatement("DELETE FROM " + MysqlDatabase.CATALOG + " WHERE name = ?")) {
        statement.setBytes(1, table.name().getBytes(StandardCharsets.UTF_8));
        return statement.executeUpdate();
      }
    });
  }

  @Override
  public long estimateCount(MysqlTable table) throws SQLException {
    return number("EXPLAIN SELECT * FROM " + table.quoted(), "rows");
  }

  @Override
  public ServerTransaction<MysqlTable> begin(TransactionMode mode, Duration lockTimeout)
      throws SQLException {
    return MysqlTransaction.begin(database, lockTimeout);
  }

  @Override
  protected ServerTransaction<MysqlTable> beginSnapshot() throws SQLException {
    return MysqlTransaction.snapshot(database);
  }

  // ---- the whole

  /**
   * The server flushes its log as this variable says, and at 1 syncs it. There is no such variable
   * for a session.
   */
  @Override
  public void sync() throws SQLException {
    String variable = "innodb_flush_log_at_trx_commit";
    String usual = database.variables().getOrDefault(variable, "1");
    if (usual.equals("1") || usual.equals("3")) {
      return; // everything acknowledged is synced
    }
    syncing.lock();
    try {
      call(connection -> {
        execute(connection, "SET GLOBAL " + variable + " = 1");
        try {
          return execute(connection, "FLUSH ENGINE LOGS");
        } finally {
          execute(connection, "SET GLOBAL " + variable + " = " + usual);
        }
      });
    } finally {
      syncing.unlock();
    }
  }

  /** Does what OPTIMIZE TABLE does with InnoDB, but reports errors as errors. */
  @Override
  public void compact(MysqlTable table) throws SQLException {
    run("ALTER TABLE " + table.quoted() + " FORCE");
  }

  @Override
  public Map<String, String> stats() throws SQLException {
    return call(connection -> {
      Map<String, String> stats = new LinkedHashMap<>(database.variables());
      stats.putAll(
          MysqlDatabase.named(
              connection,
              "SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected',"
                  + " 'Innodb_buffer_pool_pages_data', 'Innodb_buffer_pool_pages_dirty',"
                  + " 'Innodb_buffer_pool_read_requests', 'Innodb_buffer_pool_reads',"
                  + " 'Innodb_data_fsyncs', 'Innodb_data_written')"));
      return stats;
    });
  }

  /** The server's counts, which others on it share, begin with the server. */
  @Override
  public WriteStalls stalls() throws SQLException {
    Map<String, String> counts =
        call(connection ->
            MysqlDatabase.named(
                connection,
                "SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_buffer_pool_wait_free',"
                    + " 'Innodb_log_waits')"));
    List<WriteStalls.Cause> causes = new ArrayList<>();
    STALLS.forEach((name, words) -> {
      long times = Long.parseLong(counts.getOrDefault(name, "0"));
      if (times > 0) {
        causes.add(new WriteStalls.Cause(words.getFirst(), times, words.getLast()));
      }
    });
    return new WriteStalls(-1, causes);
  }

  @Override
  public Map<String, Long> memory() {
    return database.memory();
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
