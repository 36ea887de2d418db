package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;
import org.sqlite.core.CoreStatement;

/**
 * A connection and its prepared statements. Callers of all methods except {@link #lock} hold its
 * lock.
 */
final class Session implements AutoCloseable {
  /** From this length on, a bound value is released at once rather than at the next call. */
  static final int LARGE_BYTES = 64 * 1024;

  /** From this many keys on, one read transaction for all is cheaper than one for each. */
  private static final int WORTH_A_TRANSACTION = 4;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final SQLiteConnection connection;

  /** Prepared statements by their SQL, without those of scans that are running. */
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private boolean inTransaction;

  Session(SQLiteConnection connection) {
    this.connection = connection;
  }

  ReentrantLock lock() {
    return lock;
  }

  private PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null || isLost(statement)) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  /**
   * Whether a cached statement failed before, for example because of a full disk: the driver then
   * finalizes it, although {@link PreparedStatement#isClosed} does not say so.
   */
  private static boolean isLost(PreparedStatement statement) {
    return statement instanceof CoreStatement core && core.pointer.isClosed();
  }

  /** Takes a statement for a scan alone; it must be given back. */
  PreparedStatement take(String sql) throws SQLException {
    PreparedStatement idle = statements.remove(sql);
    return idle == null || isLost(idle) ? connection.prepareStatement(sql) : idle;
  }

  /** Gives back what {@link #take} took; the statement has no open result. */
  void give(String sql, PreparedStatement statement) throws SQLException {
    if (statements.putIfAbsent(sql, statement) != null) {
      statement.close();
    }
  }

  /** Returns a key's value; a table that is not in the view that this reads is empty. */
  byte @Nullable [] get(SqliteTable table, byte[] key) throws SQLException {
    try {
      PreparedStatement statement = statement(table.get());
      statement.setBytes(1, key);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? table.value(result, 1) : null;
      }
    } catch (SQLException e) {
      if (Errors.isMissingTable(e)) {
        return null;
      }
      throw e;
    }
  }

  byte[] @Nullable [] multiGet(SqliteTable table, byte[][] keys) throws SQLException {
    boolean bracket = !inTransaction && keys.length >= WORTH_A_TRANSACTION;
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    if (bracket) {
      beginRead();
    }
    try {
      for (int i = 0; i < keys.length; i++) {
        values[i] = get(table, keys[i]);
      }
    } finally {
      if (bracket) {
        commit(); // nothing was written: this only ends it
      }
    }
    return values;
  }

  boolean contains(SqliteTable table, byte[] key) throws SQLException {
    try {
      PreparedStatement statement = statement(table.exists());
      statement.setBytes(1, key);
      try (ResultSet result = statement.executeQuery()) {
        return result.next();
      }
    } catch (SQLException e) {
      if (Errors.isMissingTable(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Returns the first entries of a range; the caller must close the result. */
  ResultSet page(SqliteTable table, Range<byte[]> range, int rows) throws SQLException {
    PreparedStatement statement = statement(table.scan(range) + " LIMIT ?");
    statement.setInt(SqlTable.bind(range, statement) + 1, rows);
    return statement.executeQuery();
  }

  void put(SqliteTable table, byte[] key, byte[] value) throws SQLException {
    PreparedStatement statement = statement(table.put());
    statement.setBytes(1, key);
    statement.setBytes(2, value);
    try {
      statement.executeUpdate();
    } finally {
      if (value.length >= LARGE_BYTES && !isLost(statement)) {
        statement.clearParameters();
      }
    }
  }

  /** Puts entries in their order, several with each statement. */
  void putAll(SqliteTable table, List<Entry<byte[], byte[]>> entries) throws SQLException {
    int single = entries.size() % SqliteTable.SEVERAL;
    List<Entry<byte[], byte[]>> together = entries.subList(0, entries.size() - single);
    if (!together.isEmpty()) {
      putTogether(statement(table.putSeveral()), together);
    }
    for (Entry<byte[], byte[]> entry : entries.subList(together.size(), entries.size())) {
      put(table, entry.key(), entry.value());
    }
  }

  private static void putTogether(PreparedStatement several, List<Entry<byte[], byte[]>> entries)
      throws SQLException {
    try {
      for (int next = 0; next < entries.size(); next += SqliteTable.SEVERAL) {
        for (int i = 0; i < SqliteTable.SEVERAL; i++) {
          Entry<byte[], byte[]> entry = entries.get(next + i);
          several.setBytes(2 * i + 1, entry.key());
          several.setBytes(2 * i + 2, entry.value());
        }
        several.executeUpdate();
      }
    } finally {
      if (!isLost(several)) {
        several.clearParameters(); // releases the last entries
      }
    }
  }

  void delete(SqliteTable table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.delete());
    statement.setBytes(1, key);
    statement.executeUpdate();
  }

  /** Removes the entries of a range; returns how many there were. */
  long delete(SqliteTable table, Range<byte[]> range) throws SQLException {
    PreparedStatement statement = statement(table.delete(range));
    SqlTable.bind(range, statement);
    return statement.executeLargeUpdate();
  }

  /** Runs a statement that is not worth keeping. */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the first column of the first row as text; empty if there is none. */
  String query(String sql) throws SQLException {
    return Database.query(connection, sql);
  }

  /** Returns the first column of all rows. */
  List<String> queryAll(String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        values.add(result.getString(1));
      }
    }
    return values;
  }

  boolean inTransaction() {
    return inTransaction;
  }

  /** Begins a read transaction; its first read settles what it sees. */
  void beginRead() throws SQLException {
    begin("BEGIN");
  }

  /** Begins a transaction that holds the database's write lock from now on. */
  void beginWrite() throws SQLException {
    begin("BEGIN IMMEDIATE");
  }

  /**
   * The driver's own way ({@code setAutoCommit}) would begin another transaction after each commit
   * and rollback, which here would hold the write lock forever. The driver is only told not to
   * attempt an empty transaction after each statement, as it otherwise does.
   */
  private void begin(String sql) throws SQLException {
    executeKept(sql);
    inTransaction = true;
    connection.getConnectionConfig().setAutoCommit(false);
  }

  void commit() throws SQLException {
    executeKept("COMMIT");
    ended();
  }

  private void executeKept(String sql) throws SQLException {
    statement(sql).execute();
  }

  /** Ends the transaction, which SQLite may have rolled back on its own after an error. */
  void rollback() throws SQLException {
    ended();
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      String message = e.getMessage();
      if (message == null || !message.contains("no transaction is active")) {
        throw e;
      }
    }
  }

  private void ended() {
    inTransaction = false;
    connection.getConnectionConfig().setAutoCommit(true);
  }

  /** Closes the statements of all tables, also of one that is gone. */
  void closeStatements() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
  }

  @Override
  public void close() throws SQLException {
    connection.close(); // and with it all its statements
  }
}
