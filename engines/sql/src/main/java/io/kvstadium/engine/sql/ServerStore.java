package io.kvstadium.engine.sql;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.help.OwnThread;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** An open store on a server. Each single call is one statement, committed on its own. */
public abstract class ServerStore<T extends ServerTable> extends ServerReader<T>
    implements EngineStore<T> {

  /** For subclasses. */
  protected ServerStore() {
    super("");
  }

  /** Runs several statements as one transaction. */
  protected abstract <R> R together(Query<R> query) throws SQLException;

  /** Begins a view of its own. */
  protected abstract ServerTransaction<T> beginSnapshot() throws SQLException;

  @Override
  public final ServerTransaction<T> snapshot() throws SQLException {
    return twice(this::beginSnapshot);
  }

  @Override
  protected <R> R read(T table, R none, Query<R> query) throws SQLException {
    return twice(() -> call(query));
  }

  /**
   * That a connection was lost while nobody used it is found out by reading, which may be again.
   */
  private <R> R twice(OwnThread.Section<R, SQLException> reading) throws SQLException {
    try {
      return reading.run();
    } catch (SQLException e) {
      if (isLost(e)) {
        return reading.run();
      }
      throw e;
    }
  }

  /** Not by TRUNCATE, which would also take the entries from open snapshots. */
  @Override
  public final boolean clear(T table) throws SQLException {
    run("DELETE FROM " + table.quoted());
    return true;
  }

  @Override
  public final long count(T table) throws SQLException {
    return number("SELECT COUNT(*) AS n FROM " + table.quoted(), "n");
  }

  /** Makes a change, which may have been made or not if the connection is lost meanwhile. */
  protected final <R> R change(Query<R> query) throws SQLException {
    return change(this::call, query);
  }

  private <R> R change(Caller<R> caller, Query<R> query) throws SQLException {
    boolean[] begun = new boolean[1];
    try {
      return caller.call(connection -> {
        begun[0] = true;
        return query.on(connection);
      });
    } catch (SQLException e) {
      throw begun[0] && isLost(e) ? LostConnection.ofWrite(e) : e;
    }
  }

  /** What runs a query. */
  private interface Caller<R> {
    R call(Query<R> query) throws SQLException;
  }

  /** Returns a column of a query's first row, or 0 if there is none. */
  protected final long number(String sql, String column) throws SQLException {
    return call(connection -> {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        return row.next() ? row.getLong(column) : 0L;
      }
    });
  }

  /** Runs a statement without a result. */
  protected final void run(String sql) throws SQLException {
    change(connection -> execute(connection, sql));
  }

  @Override
  public void put(T table, byte[] key, byte[] value) throws SQLException {
    change(c -> ServerTable.update(c, table.put(), key, value));
  }

  @Override
  public void delete(T table, byte[] key) throws SQLException {
    change(c -> ServerTable.update(c, table.delete(), key));
  }

  @Override
  public final long delete(T table, Range<byte[]> range) throws SQLException {
    return change(ServerBatch.removal(table, range));
  }

  /** A single statement is atomic on its own. */
  @Override
  public void write(List<Write<T>> writes) throws SQLException {
    List<Query<Integer>> statements = ServerBatch.statements(writes);
    if (statements.size() == 1) {
      change(statements.getFirst());
      return;
    }
    change(this::<Boolean>together, connection -> run(connection, statements));
  }

  /** Writes inside a transaction. */
  protected static <T extends ServerTable> void write(Connection connection, List<Write<T>> writes)
      throws SQLException {
    run(connection, ServerBatch.statements(writes));
  }

  private static boolean run(Connection connection, List<Query<Integer>> statements)
      throws SQLException {
    for (Query<Integer> statement : statements) {
      statement.on(connection);
    }
    return true;
  }

  /** Reads a few entries by one statement; for more, later statements must see the same. */
  @Override
  public final EngineCursor cursor(T table, Range<byte[]> range) throws Exception {
    if (range.limit() <= PagedCursor.SHORT) {
      return new ServerCursor<>(this, table, range, () -> {}).started();
    }
    ServerTransaction<T> snapshot = snapshot();
    return new ServerCursor<>(snapshot, table, range, snapshot).started();
  }
}
