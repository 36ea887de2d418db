package io.kvstadium.engine.sql;

import io.kvstadium.store.Entry;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A table on a server, where each statement is a trip: those of many rows save trips. */
public abstract class ServerTable extends SqlTable {
  /**
   * @param quoted the name in SQL, with its quotation marks
   * @param numbered whether each row has a number before key and value, as in schema=casket
   */
  protected ServerTable(String name, String quoted, String key, String value, boolean numbered) {
    super(name, quoted, key, value, numbered);
  }

  /** Returns the statement that sets an entry: key, then value. */
  public abstract String put();

  /** Sets entries with different keys, in their order. */
  public abstract int putAll(Connection connection, List<Entry<byte[], byte[]>> entries)
      throws SQLException;

  /** Removes entries. */
  public abstract int deleteAll(Connection connection, List<byte[]> keys) throws SQLException;

  /**
   * Reads the values of those among the keys that are there.
   *
   * @param lock what the reader appends to its queries
   */
  protected abstract void find(
      Connection connection, byte[][] keys, String lock, Map<ByteBuffer, byte[]> found)
      throws SQLException;

  /** How many rows the driver fetches at a time, in its own terms, since values may be large. */
  protected abstract int fetchSize();

  /** Runs a statement whose parameters are keys and values. */
  static int update(Connection connection, String sql, byte[]... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setBytes(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }
}
