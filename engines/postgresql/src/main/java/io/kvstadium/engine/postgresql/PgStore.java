package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.engine.sql.ServerStore;
import io.kvstadium.engine.sql.ServerTransaction;
import io.kvstadium.store.Entry;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.WriteStalls;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ConnectionPool;
import io.kvstadium.store.engine.help.KeyLocks;
import io.kvstadium.store.engine.help.Retry;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.PGCopyOutputStream;

/** An open schema. A call that lost to others is made again. */
final class PgStore extends ServerStore<PgTable> {
  /** The version from which on checkpoints have a view of their own. */
  private static final int OWN_VIEW = 17;

  /** About how many bytes of a bulk load go to the server at once. */
  private static final int PORTION = 1 << 20;

  private static final int COPY_BUFFER = 1 << 16;

  private final PgConnections connections;
  private final ConnectionPool<Connection, SQLException> pool;
  private final @Nullable PrivateServer server;

  /** Where writers of the same keys wait in order, instead of rolling each other back. */
  private final KeyLocks queues = new KeyLocks(true);

  /**
   * @param server the private one, which ends with this
   */
  PgStore(
      PgConnections connections,
      ConnectionPool<Connection, SQLException> pool,
      @Nullable PrivateServer server) {
    this.connections = connections;
    this.pool = pool;
    this.server = server;
  }

  @Override
  public String identity() throws SQLException {
    return call(connection -> {
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
    return PgErrors.of(thrown, server);
  }

  @Override
  protected boolean isLost(SQLException e) {
    return PgErrors.isLost(e);
  }

  @Override
  public <R> R call(Query<R> query) throws SQLException {
    return pool.call(connection -> {
      Retry retry = new Retry(Retry.USUAL);
      while (true) {
        try {
          return query.on(connection);
        } catch (SQLException e) {
          if (!PgErrors.isConflict(e) || !retry.again()) {
            throw e;
          }
        }
      }
    });
  }

  @Override
  protected <R> R together(Query<R> query) throws SQLException {
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
    return call(connection -> PostgresqlEngine.tables(connection, connections.schema()));
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
    call(connection -> {
      try {
        return execute(connection, creation);
      } catch (SQLException e) {
        if (PgErrors.isMadeByOthers(e)) {
          return execute(connection, creation);
        }
        throw e;
      }
    });
  }

  @Override
  public void dropTable(PgTable table) throws SQLException {
    run("DROP TABLE IF EXISTS " + table.quoted());
  }

  // ---- writing

  @Override
  public void put(PgTable table, byte[] key, byte[] value) throws SQLException {
    long keys = KeyLocks.of(table, key);
    queues.lockAlone(keys);
    try {
      super.put(table, key, value);
    } finally {
      queues.unlockAlone(keys);
    }
  }

  @Override
  public void delete(PgTable table, byte[] key) throws SQLException {
    long keys = KeyLocks.of(table, key);
    queues.lockAlone(keys);
    try {
      super.delete(table, key);
    } finally {
      queues.unlockAlone(keys);
    }
  }

  @Override
  public void write(List<Write<PgTable>> writes) throws SQLException {
    long keys = KeyLocks.of(writes);
    queues.lockAlone(keys);
    try {
      super.write(writes);
    } finally {
      queues.unlockAlone(keys);
    }
  }

  /**
   * Into an empty table by COPY, which knows no entries to replace, so others must wait; else in
   * batches, each of which is made again if it lost to others.
   */
  @Override
  public void bulkLoad(PgTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted)
      throws SQLException {
    if (sorted && call(connection -> isEmpty(connection, table))) {
      try (PgTransaction load = PgTransaction.alone(pool, table)) {
        load.call(connection -> {
          if (isEmpty(connection, table)) { // still
            copy(connection, table, entries);
          }
          return true;
        });
        load.commit();
      }
    }
    while (entries.hasNext()) {
      List<Write<PgTable>> portion = new ArrayList<>();
      for (long bytes = 0; entries.hasNext() && bytes < PORTION; ) {
        Entry<byte[], byte[]> entry = entries.next();
        portion.add(new Write<>(table, entry.key(), entry.value()));
        bytes += entry.key().length + entry.value().length;
      }
      write(portion);
    }
  }

  private static boolean isEmpty(Connection connection, PgTable table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT 1 FROM " + table.quoted() + " LIMIT 1")) {
      return !row.next();
    }
  }

  /** In the form of the manual's chapter on COPY, "Binary Format". */
  private static void copy(
      Connection connection, PgTable table, Iterator<Entry<byte[], byte[]>> entries)
      throws SQLException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + table.quoted() + " (k, v) FROM STDIN (FORMAT binary)");
    try {
      DataOutputStream out = new DataOutputStream(new PGCopyOutputStream(copy, COPY_BUFFER));
      out.write("PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1));
      out.writeLong(0); // no flags, no extension
      while (entries.hasNext()) {
        Entry<byte[], byte[]> entry = entries.next();
        out.writeShort(2);
        for (byte[] field : new byte[][] {entry.key(), entry.value()}) {
          out.writeInt(field.length);
          out.write(field);
        }
      }
      out.writeShort(-1);
      out.flush();
      copy.endCopy();
    } catch (IOException e) {
      throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e);
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  @Override
  public ServerTransaction<PgTable> begin(TransactionMode mode, Duration lockTimeout)
      throws SQLException {
    return PgTransaction.begin(pool, lockTimeout);
  }

  @Override
  protected ServerTransaction<PgTable> beginSnapshot() throws SQLException {
    return PgTransaction.snapshot(pool);
  }

  // ---- the whole

  /**
   * A commit that is flushed takes all before it along; one that wrote nothing is not flushed, so
   * this leaves a message in the log. A private server may have been told to flush nothing, but it
   * has written: the log last, which is written first.
   */
  @Override
  public void sync() throws SQLException, IOException {
    together(connection ->
        execute(
            connection,
            "SET LOCAL synchronous_commit = on;"
                + " SELECT pg_logical_emit_message(true, 'kv-stadium', '')"));
    if (server != null && !Postgres.flushes(connections.level())) {
      Postgres.flush(server.data());
    }
  }

  @Override
  public Map<String, String> stats() throws SQLException {
    Map<String, String> stats = new LinkedHashMap<>(call(PgConnections::settings));
    if (server != null) {
      stats.put("server_program", server.program());
    }
    return stats;
  }

  /** The server's count, which others on it share, begins with the server. */
  @Override
  public WriteStalls stalls() throws SQLException {
    long requested =
        call(connection -> {
          boolean own = connection.getMetaData().getDatabaseMajorVersion() >= OWN_VIEW;
          try (Statement statement = connection.createStatement();
              ResultSet row =
                  statement.executeQuery(
                      own
                          ? "SELECT num_requested FROM pg_stat_checkpointer"
                          : "SELECT checkpoints_req FROM pg_stat_bgwriter")) {
            row.next();
            return row.getLong(1);
          }
        });
    return new WriteStalls(
        -1,
        requested == 0
            ? List.of()
            : List.of(
                new WriteStalls.Cause(
                    "checkpoints that did not wait for their time",
                    requested,
                    "set max_wal_size of the server higher")));
  }

  @Override
  public Map<String, Long> memory() {
    return server == null ? Map.of() : server.memory();
  }

  @Override
  public void close() throws IOException {
    try (PrivateServer _ = server) {
      pool.close();
    }
  }
}
