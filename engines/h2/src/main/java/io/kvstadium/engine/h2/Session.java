package io.kvstadium.engine.h2;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
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
  private int lockMillis = -1;

  Session(Connection connection) {
    this.connection = connection;
  }

  Connection connection() {
    return connection;
  }

  /** The kept statement for this SQL. */
  PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  void execute(String sql) throws SQLException {
    statement(sql).execute();
  }

  byte @Nullable [] get(H2Table table, byte[] key) throws SQLException {
    return get(table, table.get(), key);
  }

  /** The same, and keeps others from changing the entry until the end of the transaction. */
  byte @Nullable [] getLocked(H2Table table, byte[] key) throws SQLException {
    return get(table, table.get() + " FOR UPDATE", key);
  }

  private byte @Nullable [] get(H2Table table, String sql, byte[] key) throws SQLException {
    PreparedStatement statement = statement(sql);
    statement.setBytes(1, key);
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getBytes(table.valueColumn()) : null;
    }
  }

  boolean exists(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.get());
    statement.setBytes(1, key);
    try (ResultSet row = statement.executeQuery()) {
      return row.next();
    }
  }

  void put(H2Table table, byte[] key, byte[] value) throws SQLException {
    if (!table.isCasket()) {
      set(table.put(), key, value);
      return;
    }
    if (key.length > H2Table.CASKET_KEY_BYTES) {
      throw new BadArgumentException(
          "h2: a key of "
              + key.length
              + " bytes is too long for schema=casket, which takes "
              + H2Table.CASKET_KEY_BYTES);
    }
    while (!insert(table, key, value) && set(table.update(), value, key) == 0) {
      // another writer deleted it in between
    }
  }

  /** Whether there was no such entry. */
  boolean insert(H2Table table, byte[] key, byte[] value) throws SQLException {
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
    return statement.executeUpdate();
  }

  void delete(H2Table table, byte[] key) throws SQLException {
    PreparedStatement statement = statement(table.delete());
    statement.setBytes(1, key);
    statement.executeUpdate();
  }

  /** The first entries of a range; to be closed. */
  ResultSet page(H2Table table, Range range, int rows) throws SQLException {
    PreparedStatement statement = statement(table.page(range));
    int parameter = 1;
    if (range.from() != null) {
      statement.setBytes(parameter, range.from());
      parameter++;
    }
    if (range.to() != null) {
      statement.setBytes(parameter, range.to());
      parameter++;
    }
    statement.setInt(parameter, rows);
    return statement.executeQuery();
  }

  /** How long statements wait for locks from now on. */
  void lockTimeout(int millis) throws SQLException {
    if (millis != lockMillis) {
      execute("SET LOCK_TIMEOUT " + millis);
      lockMillis = millis;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close(); // and with it all its statements
  }
}
