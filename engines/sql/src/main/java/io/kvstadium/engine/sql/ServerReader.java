package io.kvstadium.engine.sql;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads on any connection that a subclass gives. */
public abstract class ServerReader<T extends ServerTable> implements EngineReader<T> {
  /** Stands for no value; known by its identity. */
  private static final byte[] ABSENT = {};

  /** Appended to every read. */
  final String lock;

  /** Something done on a connection. */
  @FunctionalInterface
  public interface Query<R> {
    R on(Connection connection) throws SQLException;
  }

  /**
   * @param lock appended to every read
   */
  protected ServerReader(String lock) {
    this.lock = lock;
  }

  /** Whether this means that the connection is gone. */
  protected abstract boolean isLost(SQLException e);

  /** Runs a query on the connection that this reads on. */
  public abstract <R> R call(Query<R> query) throws SQLException;

  /**
   * Reads a table.
   *
   * @param none what the query returns for an empty table
   */
  protected <R> R read(T table, R none, Query<R> query) throws SQLException {
    return call(query);
  }

  /** Runs a statement that is not worth preparing. */
  public static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }

  @Override
  public final byte @Nullable [] get(T table, byte[] key) throws SQLException {
    byte[] value = read(table, ABSENT, c -> first(c, table.get(), table.valueColumn(), key));
    return isAbsent(value) ? null : value;
  }

  @Override
  public final boolean contains(T table, byte[] key) throws SQLException {
    return !isAbsent(read(table, ABSENT, c -> first(c, table.exists(), 1, key)));
  }

  @SuppressWarnings("ReferenceEquality") // an empty value would be equal to it
  private static boolean isAbsent(byte[] value) {
    return value == ABSENT;
  }

  /** What {@code contains} reads is a number, whose bytes nobody looks at. */
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
  public final byte[] @Nullable [] multiGet(T table, byte[][] keys) throws SQLException {
    Map<ByteBuffer, byte[]> found =
        this.<Map<ByteBuffer, byte[]>>read(
            table,
            Map.of(),
            connection -> {
              Map<ByteBuffer, byte[]> rows = new HashMap<>();
              table.find(connection, keys, lock, rows);
              return rows;
            });
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      byte[] value = found.get(ByteBuffer.wrap(keys[i]));
      // the same key twice gets two arrays, as everywhere
      values[i] = value == null ? null : value.clone();
    }
    return values;
  }

  @Override
  public EngineCursor cursor(T table, Range<byte[]> range) throws Exception {
    return new ServerCursor<>(this, table, range, () -> {});
  }
}
