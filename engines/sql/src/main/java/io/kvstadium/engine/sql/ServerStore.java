package io.kvstadium.engine.sql;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Write;
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

  @Override
  public abstract ServerTransaction<T> snapshot() throws SQLException;

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
    call(connection -> execute(connection, sql));
  }

  @Override
  public void put(T table, byte[] key, byte[] value) throws SQLException {
    call(c -> ServerTable.update(c, table.put(), key, value));
  }

  @Override
  public void delete(T table, byte[] key) throws SQLException {
    call(c -> ServerTable.update(c, table.delete(), key));
  }

  @Override
  public final long delete(T table, Range<byte[]> range) throws SQLException {
    return call(ServerBatch.removal(table, range));
  }

  /** A single statement is atomic on its own. */
  @Override
  public void write(List<Write<T>> writes) throws SQLException {
    List<Query<Integer>> statements = ServerBatch.statements(writes);
    if (statements.size() == 1) {
      call(statements.getFirst());
      return;
    }
    together(connection -> run(connection, statements));
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
