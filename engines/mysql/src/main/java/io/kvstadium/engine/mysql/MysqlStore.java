package io.kvstadium.engine.mysql;

import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Interrupts;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.Write;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An open database. Each single call is one statement, committed on its own. */
final class MysqlStore extends MysqlReader implements EngineStore<MysqlTable> {
  /** How often a write is tried if the server rolls it back to resolve a deadlock. */
  private static final int ATTEMPTS = 20;

  private final MysqlDatabase database;
  private final Limits limits;
  private final ReentrantLock syncing = new ReentrantLock();

  MysqlStore(MysqlDatabase database, Limits limits) {
    super("");
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

  private <R> R call(Query<R> query) throws SQLException {
    return Interrupts.deferred(() -> attempt(query));
  }

  private <R> R attempt(Query<R> query) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = database.take()) {
        return query.of(connection);
      } catch (SQLException e) {
        if (!MysqlErrors.isDeadlock(e) || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  <R> R read(MysqlTable table, R none, Query<R> query) throws SQLException {
    return call(query);
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
      register(connection, name, options.text(MysqlOptions.SCHEMA));
      table = MysqlDatabase.catalog(connection).get(name);
    }
    if (table != null) {
      MysqlDatabase.execute(connection, table.creation());
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
      MysqlDatabase.execute(connection, "DROP TABLE IF EXISTS " + table.quoted());
      try (PreparedStatement statement =
          connection.prepareStatement("DELETE FROM " + MysqlDatabase.CATALOG + " WHERE name = ?")) {
        statement.setBytes(1, table.name().getBytes(StandardCharsets.UTF_8));
        return statement.executeUpdate();
      }
    });
  }

  /** Not by TRUNCATE, which would also take the entries from open snapshots. */
  @Override
  public boolean clear(MysqlTable table) throws SQLException {
    run("DELETE FROM " + table.quoted());
    return true;
  }

  @Override
  public long count(MysqlTable table) throws SQLException {
    return number("SELECT COUNT(*) AS n FROM " + table.quoted(), "n");
  }

  @Override
  public long estimateCount(MysqlTable table) throws SQLException {
    return number("EXPLAIN SELECT * FROM " + table.quoted(), "rows");
  }

  private long number(String sql, String column) throws SQLException {
    return call(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(sql)) {
        return result.next() ? result.getLong(column) : 0;
      }
    });
  }

  private void run(String sql) throws SQLException {
    call(connection -> MysqlDatabase.execute(connection, sql));
  }

  // ---- writing

  @Override
  public void put(MysqlTable table, byte[] key, byte[] value) throws SQLException {
    call(connection -> put(connection, table, key, value));
  }

  static int put(Connection connection, MysqlTable table, byte[] key, byte[] value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.put)) {
      statement.setBytes(1, key);
      statement.setBytes(2, value);
      return statement.executeUpdate();
    }
  }

  @Override
  public void delete(MysqlTable table, byte[] key) throws SQLException {
    call(connection -> delete(connection, table, key));
  }

  static int delete(Connection connection, MysqlTable table, byte[] key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.delete())) {
      statement.setBytes(1, key);
      return statement.executeUpdate();
    }
  }

  @Override
  public long delete(MysqlTable table, Range<byte[]> range) throws SQLException {
    return call(MysqlBatch.removal(table, range)::execute);
  }

  @Override
  public void write(List<Write<MysqlTable>> writes) throws SQLException {
    MysqlBatch batch = MysqlBatch.of(writes);
    call(batch::applyOn);
  }

  @Override
  public EngineTransaction<MysqlTable> begin(TransactionMode mode, Duration lockTimeout)
      throws SQLException {
    return MysqlTransaction.begin(database, lockTimeout);
  }

  // ---- views that hold still

  @Override
  public EngineSnapshot<MysqlTable> snapshot() throws SQLException {
    return MysqlSnapshot.take(database);
  }

  /** Reads a few entries by one statement; for more, later statements must see the same. */
  @Override
  public EngineCursor cursor(MysqlTable table, Range<byte[]> range) throws Exception {
    if (range.limit() <= MysqlCursor.SHORT) {
      return new MysqlCursor(this, table, range, () -> {}).started();
    }
    MysqlSnapshot snapshot = MysqlSnapshot.take(database);
    return new MysqlCursor(snapshot, table, range, snapshot).started();
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
        MysqlDatabase.execute(connection, "SET GLOBAL " + variable + " = 1");
        try {
          return MysqlDatabase.execute(connection, "FLUSH ENGINE LOGS");
        } finally {
          MysqlDatabase.execute(connection, "SET GLOBAL " + variable + " = " + usual);
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

  @Override
  public void close() throws IOException {
    database.close();
  }
}
