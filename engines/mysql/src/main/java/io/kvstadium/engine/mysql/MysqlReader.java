package io.kvstadium.engine.mysql;

import com.mysql.cj.jdbc.JdbcConnection;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads on any connection that a subclass gives. */
abstract class MysqlReader implements EngineReader<MysqlTable> {
  /**
   * Keys in one query. Beyond 1,000, MariaDB makes a temporary table of them, and a little beyond
   * that either server may prefer to read the whole table.
   */
  private static final int KEYS_AT_ONCE = 500;

  /** Stands for no value; known by its identity. */
  private static final byte[] ABSENT = {};

  /** Something done on a connection. */
  @FunctionalInterface
  interface Query<R> {
    R of(Connection connection) throws SQLException;
  }

  /** Appended to every read. */
  final String lock;

  MysqlReader(String lock) {
    this.lock = lock;
  }

  /**
   * Reads a table.
   *
   * @param none what the query returns for an empty table
   */
  abstract <R> R read(MysqlTable table, R none, Query<R> query) throws SQLException;

  @Override
  public byte @Nullable [] get(MysqlTable table, byte[] key) throws SQLException {
    byte[] value = read(table, ABSENT, c -> first(c, table.get(), table.valueColumn(), key));
    return isAbsent(value) ? null : value;
  }

  @Override
  public boolean contains(MysqlTable table, byte[] key) throws SQLException {
    return !isAbsent(read(table, ABSENT, c -> first(c, table.exists(), 1, key)));
  }

  @SuppressWarnings("ReferenceEquality") // an empty value would be equal to it
  private static boolean isAbsent(byte[] value) {
    return value == ABSENT;
  }

  private byte[] first(Connection connection, String sql, int column, byte[] key)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(lock.isEmpty() ? sql : sql + lock)) {
      statement.setBytes(1, key);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() ? result.getBytes(column) : ABSENT;
      }
    }
  }

  @Override
  public byte[] @Nullable [] multiGet(MysqlTable table, byte[][] keys) throws SQLException {
    Map<ByteBuffer, byte[]> found = new HashMap<>();
    read(
        table,
        found,
        connection -> {
          for (int from = 0; from < keys.length; from += KEYS_AT_ONCE) {
            find(connection, table, keys, from, found);
          }
          return found;
        });
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      values[i] = found.get(ByteBuffer.wrap(keys[i]));
    }
    return values;
  }

  private void find(
      Connection connection, MysqlTable table, byte[][] keys, int from, Map<ByteBuffer, byte[]> to)
      throws SQLException {
    int count = Math.min(KEYS_AT_ONCE, keys.length - from);
    try (PreparedStatement statement = inOneTrip(connection, table.multiGet(count) + lock)) {
      for (int i = 0; i < count; i++) {
        statement.setBytes(i + 1, keys[from + i]);
      }
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          to.put(ByteBuffer.wrap(result.getBytes(1)), result.getBytes(2));
        }
      }
    }
  }

  /** Returns a statement that the server does not prepare first: for those of many shapes. */
  static PreparedStatement inOneTrip(Connection connection, String sql) throws SQLException {
    return connection.unwrap(JdbcConnection.class).clientPrepareStatement(sql);
  }

  @Override
  public EngineCursor cursor(MysqlTable table, Range<byte[]> range) throws Exception {
    return new MysqlCursor(this, table, range, () -> {});
  }
}
