package io.kvstadium.engine.h2;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.help.Interrupts;
import io.kvstadium.store.engine.help.OwnThread;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection and its prepared statements. One thread at a time. */
final class Session implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  Session(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  /** Returns the cached statement for this SQL. */
  PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  void execute(String sql) throws SQLException {
    PreparedStatement statement = statement(sql);
    uninterruptibly(statement::execute);
  }

  byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.get());
    statement.setBytes(1, key);
    try (ResultSet row = uninterruptibly(statement::executeQuery)) {
      return row.next() ? row.getBytes(table.valueColumn()) : null;
    }
  }

  boolean contains(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.get());
    statement.setBytes(1, key);
    try (ResultSet row = uninterruptibly(statement::executeQuery)) {
      return row.next();
    }
  }

  void put(H2Table table, byte[] key, byte[] value) throws SQLException {
    if (!table.isCasket()) {
      set(table.put(), key, value);
      return;
    }
    checkCasketKey(key);
    if (!insert(table, key, value)) {
      set(table.update(), value, key);
    }
  }

  private static void checkCasketKey(byte[] key) {
    if (key.length > H2Table.CASKET_KEY_BYTES) {
      throw new BadArgumentException(
          "h2: a key of %s bytes is too long for schema=casket, which takes %s"
              .formatted(key.length, H2Table.CASKET_KEY_BYTES));
    }
  }

  /** Inserts an entry; returns false if the key already has one. */
  private boolean insert(H2Table table, byte[] key, byte[] value) throws SQLException {
    try {
      set(table.insert(), key, value);
      return true;
    } catch (SQLException e) {
      if (Errors.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }

  private int set(String sql, byte[] first, byte[] second) throws SQLException {
    PreparedStatement statement = statement(sql);
    statement.setBytes(1, first);
    statement.setBytes(2, second);
    return uninterruptibly(statement::executeUpdate);
  }

  void delete(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.delete());
    statement.setBytes(1, key);
    uninterruptibly(statement::executeUpdate);
  }

  /** Removes the entries of a range; returns how many there were. */
  long delete(H2Table table, Range<byte[]> range) throws SQLException {
    PreparedStatement statement = statement(table.delete(range));
    SqlTable.bind(range, statement);
    return uninterruptibly(statement::executeLargeUpdate);
  }

  /** Returns the first entries of a range; the caller must close the result. */
  ResultSet page(H2Table table, Range<byte[]> range, int rows) throws SQLException {
    PreparedStatement statement = statement(table.scan(range) + " LIMIT ?");
    statement.setInt(SqlTable.bind(range, statement) + 1, rows);
    return uninterruptibly(statement::executeQuery);
  }

  /**
   * Calls H2 and puts off an interrupt of the thread until the end. If an interrupt ended the call
   * while it waited for a map, H2 has undone it and it runs again. So does a call that failed
   * before it began because a table was being made.
   */
  private static <R> R uninterruptibly(OwnThread.Section<R, SQLException> call)
      throws SQLException {
    return Interrupts.deferred(
        () -> {
          while (true) {
            try {
              return call.run();
            } catch (SQLException e) {
              if (!Errors.metUnfinishedTable(e)) {
                throw e;
              }
            }
          }
        },
        Errors::isInterrupt);
  }

  @Override
  public void close() throws SQLException {
    connection.close(); // and with it all its statements
  }
}
