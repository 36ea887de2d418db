package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.ServerTable;
import io.kvstadium.store.Entry;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A table of the store with its SQL. Immutable. */
final class PgTable extends ServerTable {
  private final String put;
  private final String putAll;

  /**
   * @param schema the store's
   */
  PgTable(String schema, String name) {
    super(name, quoted(schema) + "." + quoted(name), "k", "v", false);
    String into = "INSERT INTO " + quoted() + " (k, v) ";
    String update = " ON CONFLICT (k) DO UPDATE SET v = excluded.v";
    this.put = into + "VALUES (?, ?)" + update;
    this.putAll = into + "SELECT * FROM unnest(?, ?)" + update;
  }

  /** The SQL that makes the table, unless it is there. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted()
        + " (k bytea NOT NULL PRIMARY KEY, v bytea NOT NULL)";
  }

  /** A name in SQL. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public String put() {
    return put;
  }

  @Override
  public int putAll(Connection connection, List<Entry<byte[], byte[]>> entries)
      throws SQLException {
    byte[][] keys = entries.stream().map(Entry::key).toArray(byte[][]::new);
    byte[][] values = entries.stream().map(Entry::value).toArray(byte[][]::new);
    try (PreparedStatement statement = prepared(connection, putAll, keys, values)) {
      return statement.executeUpdate();
    }
  }

  @Override
  public int deleteAll(Connection connection, List<byte[]> keys) throws SQLException {
    String sql = "DELETE FROM " + quoted() + " WHERE k = ANY (?)";
    try (PreparedStatement statement = prepared(connection, sql, keys.toArray(byte[][]::new))) {
      return statement.executeUpdate();
    }
  }

  @Override
  protected void find(
      Connection connection, byte[][] keys, String lock, Map<ByteBuffer, byte[]> found)
      throws SQLException {
    String sql = "SELECT k, v FROM " + quoted() + " WHERE k = ANY (?)" + lock;
    try (PreparedStatement statement = prepared(connection, sql, keys);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        found.put(ByteBuffer.wrap(rows.getBytes(1)), rows.getBytes(2));
      }
    }
  }

  private static PreparedStatement prepared(Connection connection, String sql, byte[][]... arrays)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arrays.length; i++) {
      statement.setArray(i + 1, connection.createArrayOf("bytea", arrays[i]));
    }
    return statement;
  }

  /** Within transactions only, by the driver's rules. */
  @Override
  protected int fetchSize() {
    return 16;
  }
}
