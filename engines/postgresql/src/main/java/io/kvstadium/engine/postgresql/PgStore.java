package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.ConnectionPool;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.KeyLocks;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.Write;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An open schema. Each single call is one transaction, made again if it lost to others. */
final class PgStore extends PgReader implements EngineStore<PgTable> {
  private static final int ATTEMPTS = 100;

  /** About how many bytes of a bulk load go to the server at once. */
  private static final int PORTION = 1 << 20;

  private final PgConnections connections;
  private final ConnectionPool<Connection, SQLException> pool;

  /** Where writers of the same keys wait in order, instead of rolling each other back. */
  private final KeyLocks queues = new KeyLocks(true);

  PgStore(PgConnections connections, ConnectionPool<Connection, SQLException> pool) {
    this.connections = connections;
    this.pool = pool;
  }

  @Override
  public String identity() throws SQLException {
    return this.<String>call(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT concat_ws(' ', pg_postmaster_start_time(), current_database())")) {
        row.next();
        return row.getString(1) + " " + connections.schema();
      }
    });
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return PgErrors.of(thrown);
  }

  @Override
  <R extends @Nullable Object> R call(Query<R> query) throws SQLException {
    return pool.call(connection -> {
      for (int attempt = 1; ; attempt++) {
        try {
          return query.on(connection);
        } catch (SQLException e) {
          if (!PgErrors.isConflict(e) || attempt == ATTEMPTS) {
            throw e;
          }
        }
      }
    });
  }

  /** Several statements that are one transaction. */
  private <R extends @Nullable Object> R together(Query<R> query) throws SQLException {
    return call(connection -> {
      connection.setAutoCommit(false);
      boolean good = false;
      try {
        R result = query.on(connection);
        connection.commit();
        good = true;
        return result;
      } finally {
        end(connection, good);
      }
    });
  }

  private static void end(Connection connection, boolean good) {
    try {
      if (!good) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      // broken: the pool closes it, and what it failed of is thrown
    }
  }

  // ---- tables

  @Override
  public Set<String> tables() throws SQLException {
    return this.<Set<String>>call(
        connection -> PostgresqlEngine.tables(connection, connections.schema()));
  }

  @Override
  public @Nullable PgTable openTable(String name, Options options, boolean create)
      throws SQLException {
    PgTable table = new PgTable(connections.schema(), name);
    if (!create) {
      return tables().contains(name) ? table : null;
    }
    make(table.creation());
    return table;
  }

  /** Others may make the same at the same moment, which the server does not expect. */
  void make(String creation) throws SQLException {
    this.<Boolean>call(connection -> {
      try {
        return PgConnections.execute(connection, creation);
      } catch (SQLException e) {
        if (PgErrors.isMadeByOthers(e)) {
          return PgConnections.execute(connection, creation);
        }
        throw e;
      }
    });
  }

  @Override
  public void dropTable(PgTable table) throws SQLException {
    run("DROP TABLE IF EXISTS " + table.quoted());
  }

  /** Not by TRUNCATE, which would also take the entries from open snapshots. */
  @Override
  public boolean clear(PgTable table) throws SQLException {
    run("DELETE FROM " + table.quoted());
    return true;
  }

  @Override
  public long count(PgTable table) throws SQLException {
    return number("SELECT count(*) FROM " + table.quoted());
  }

  @Override
  public long sizeOnDisk() throws SQLException {
    long size = 0;
    for (String table : tables()) {
      String quoted = new PgTable(connections.schema(), table).quoted().replace("'", "''");
      size += number("SELECT pg_total_relation_size('" + quoted + "')");
    }
    return size;
  }

  private long number(String sql) throws SQLException {
    return this.<Long>call(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getLong(1);
      }
    });
  }

  private void run(String sql) throws SQLException {
    this.<Boolean>call(connection -> PgConnections.execute(connection, sql));
  }

  // ---- writing

  @Override
  public void put(PgTable table, byte[] key, byte[] value) throws SQLException {
    long keys = KeyLocks.of(table, key);
    queues.lockAlone(keys);
    try {
      this.<Integer>call(connection -> put(connection, table, key, value));
    } finally {
      queues.unlockAlone(keys);
    }
  }

  static int put(Connection connection, PgTable table, byte[] key, byte[] value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.put)) {
      statement.setBytes(1, key);
      statement.setBytes(2, value);
      return statement.executeUpdate();
    }
  }

  @Override
  public void delete(PgTable table, byte[] key) throws SQLException {
    long keys = KeyLocks.of(table, key);
    queues.lockAlone(keys);
    try {
      this.<Integer>call(connection -> delete(connection, table, key));
    } finally {
      queues.unlockAlone(keys);
    }
  }

  static int delete(Connection connection, PgTable table, byte[] key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.delete())) {
      statement.setBytes(1, key);
      return statement.executeUpdate();
    }
  }

  @Override
  public long delete(PgTable table, Range<byte[]> range) throws SQLException {
    return this.<Integer>call(connection -> delete(connection, table, range));
  }

  private static int delete(Connection connection, PgTable table, Range<byte[]> range)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(table.delete(range))) {
      SqlTable.bind(range, statement);
      return statement.executeUpdate();
    }
  }

  @Override
  public void write(List<Write<PgTable>> writes) throws SQLException {
    long keys = KeyLocks.of(writes);
    queues.lockAlone(keys);
    try {
      this.<Boolean>together(connection -> {
        Changes changes = new Changes(connection);
        for (Write<PgTable> write : writes) {
          Range<byte[]> range = write.range();
          if (range == null) {
            changes.add(write.table(), write.key(), write.value());
          } else {
            changes.flush();
            delete(connection, write.table(), range);
          }
        }
        changes.flush();
        return true;
      });
    } finally {
      queues.unlockAlone(keys);
    }
  }

  /**
   * The last change of each key, in the order of the keys, so that those who write the same keys do
   * not wait for each other in a circle.
   */
  private static final class Changes {
    private final Connection connection;
    private final Map<PgTable, TreeMap<byte[], byte @Nullable []>> tables = new LinkedHashMap<>();

    Changes(Connection connection) {
      this.connection = connection;
    }

    void add(PgTable table, byte[] key, byte @Nullable [] value) {
      tables.computeIfAbsent(table, _ -> new TreeMap<>(Arrays::compareUnsigned)).put(key, value);
    }

    void flush() throws SQLException {
      for (Map.Entry<PgTable, TreeMap<byte[], byte @Nullable []>> each : tables.entrySet()) {
        List<byte[]> put = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        List<byte[]> removed = new ArrayList<>();
        each.getValue()
            .forEach((key, value) -> {
              if (value == null) {
                removed.add(key);
              } else {
                put.add(key);
                values.add(value);
              }
            });
        execute(each.getKey().putAll, put, values);
        execute(each.getKey().deleteAll, removed);
      }
      tables.clear();
    }

    @SafeVarargs
    private void execute(String sql, Collection<byte[]>... arrays) throws SQLException {
      if (!arrays[0].isEmpty()) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          for (int i = 0; i < arrays.length; i++) {
            statement.setArray(
                i + 1, connection.createArrayOf("bytea", arrays[i].toArray(byte[][]::new)));
          }
          statement.executeUpdate();
        }
      }
    }
  }

  /** In one transaction. */
  @Override
  public void bulkLoad(PgTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws SQLException {
    try (PgTransaction load = PgTransaction.begin(pool, (Duration) null)) {
      load.<Boolean>call(connection -> {
        Changes changes = new Changes(connection);
        long bytes = 0;
        while (entries.hasNext()) {
          Entry<byte[], byte[]> entry = entries.next();
          changes.add(table, entry.key(), entry.value());
          bytes += entry.key().length + entry.value().length;
          if (bytes > PORTION) {
            changes.flush();
            bytes = 0;
          }
        }
        changes.flush();
        return true;
      });
      load.commit();
    }
  }

  @Override
  public EngineTransaction<PgTable> begin(TransactionMode mode, Duration lockTimeout)
      throws SQLException {
    return PgTransaction.begin(pool, lockTimeout);
  }

  // ---- views that hold still

  @Override
  public EngineSnapshot<PgTable> snapshot() throws SQLException {
    return PgTransaction.snapshot(pool);
  }

  /** Reads a few entries by one statement; for more, later statements must see the same. */
  @Override
  public EngineCursor cursor(PgTable table, Range<byte[]> range) throws Exception {
    if (range.limit() <= Cursor.SHORT) {
      return new Cursor(this, table, range, () -> {}).started();
    }
    PgTransaction snapshot = PgTransaction.snapshot(pool);
    return new Cursor(snapshot, table, range, snapshot).started();
  }

  // ---- the whole

  /**
   * A commit that is flushed takes all before it along; one that wrote nothing is not flushed, so
   * this leaves a message in the log.
   */
  @Override
  public void sync() throws SQLException {
    this.<Boolean>together(connection -> {
      PgConnections.execute(
          connection,
          "SET LOCAL synchronous_commit = on;"
              + " SELECT pg_logical_emit_message(true, 'kv-stadium', '')");
      return true;
    });
  }

  @Override
  public Map<String, String> stats() throws SQLException {
    return this.<Map<String, String>>call(PgConnections::settings);
  }

  @Override
  public void close() {
    pool.close();
  }
}
