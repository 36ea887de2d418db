package io.kvstadium.engine.mysql;

import com.mysql.cj.jdbc.JdbcConnection;
import io.kvstadium.engine.sql.ServerTable;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.Limits;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A table of the store with its SQL. Immutable. */
final class MysqlTable extends ServerTable {
  /**
   * Keys in one query. Beyond 1,000, MariaDB makes a temporary table of them, and a little beyond
   * that either server may prefer to read the whole table.
   */
  private static final int KEYS_AT_ONCE = 500;

  /** The two forms that a table may have. */
  enum Form {
    /** The key is as long as InnoDB allows in an index with pages of 16 kB. */
    KV("k", "v", "", 3_072, 64 << 20),
    /** The columns of the old comparison that it comes from. */
    CASKET("key_", "value", " FORCE INDEX (key_)", 255, 65_535);

    final String key;
    final String value;

    /** Without it, a scan may sort the whole table instead of following the index. */
    final String scanHint;

    /** What its columns can hold. */
    Limits limits() {
      return new Limits(maxKey, maxValue);
    }

    private String sqlName(String name, long id) {
      return this == KV ? "kv_" + id : name.equals(Store.DEFAULT_TABLE) ? "casket" : "casket_" + id;
    }

    /** The form by its name in options. */
    static Form of(String schema) {
      return valueOf(schema.toUpperCase(Locale.ROOT));
    }

    private final int maxKey;
    private final int maxValue;

    Form(String key, String value, String scanHint, int maxKey, int maxValue) {
      this.key = key;
      this.value = value;
      this.scanHint = scanHint;
      this.maxKey = maxKey;
      this.maxValue = maxValue;
    }
  }

  final String sqlName;
  final Form form;
  private final String put;

  /**
   * @param id the id of its row in {@code kv_stadium}
   */
  MysqlTable(String name, long id, Form form) {
    String sqlName = form.sqlName(name, id);
    super(name, "`" + sqlName + "`", form.key, form.value, form == Form.CASKET);
    this.sqlName = sqlName;
    this.form = form;
    this.put = put(1);
  }

  @Override
  protected String scanHint() {
    return form.scanHint;
  }

  /** The SQL that makes the table, unless it is there. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted()
        + switch (form) {
          case KV ->
              " (k VARBINARY(" + form.maxKey + ") NOT NULL PRIMARY KEY, v LONGBLOB NOT NULL)";
          case CASKET ->
              " (id INTEGER AUTO_INCREMENT PRIMARY KEY, key_ VARBINARY("
                  + form.maxKey
                  + ") NOT NULL, value BLOB NOT NULL, UNIQUE INDEX key_ (key_))";
        }
        + " ENGINE=InnoDB ROW_FORMAT=DYNAMIC";
  }

  @Override
  public String put() {
    return put;
  }

  /** The SQL that puts the given number of entries; each entry's key is followed by its value. */
  private String put(int entries) {
    return "INSERT INTO "
        + quoted()
        + " ("
        + form.key
        + ", "
        + form.value
        + ") VALUES "
        + list(entries, "(?, ?)")
        + " ON DUPLICATE KEY UPDATE "
        + form.value
        + " = VALUES("
        + form.value
        + ")";
  }

  @Override
  public int putAll(Connection connection, List<Entry<byte[], byte[]>> entries)
      throws SQLException {
    try (PreparedStatement statement = inOneTrip(connection, put(entries.size()))) {
      int parameter = 1;
      for (Entry<byte[], byte[]> entry : entries) {
        statement.setBytes(parameter++, entry.key());
        statement.setBytes(parameter++, entry.value());
      }
      return statement.executeUpdate();
    }
  }

  @Override
  public int deleteAll(Connection connection, List<byte[]> keys) throws SQLException {
    try (PreparedStatement statement = in(connection, "DELETE", keys, "")) {
      return statement.executeUpdate();
    }
  }

  @Override
  protected void find(
      Connection connection, byte[][] keys, String lock, Map<ByteBuffer, byte[]> found)
      throws SQLException {
    List<byte[]> all = Arrays.asList(keys);
    String columns = "SELECT " + form.key + ", " + form.value;
    for (int from = 0; from < keys.length; from += KEYS_AT_ONCE) {
      List<byte[]> some = all.subList(from, Math.min(keys.length, from + KEYS_AT_ONCE));
      try (PreparedStatement statement = in(connection, columns, some, lock);
          ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          found.put(ByteBuffer.wrap(result.getBytes(1)), result.getBytes(2));
        }
      }
    }
  }

  private PreparedStatement in(Connection connection, String what, List<byte[]> keys, String lock)
      throws SQLException {
    PreparedStatement statement =
        inOneTrip(
            connection,
            what
                + " FROM "
                + quoted()
                + " WHERE "
                + form.key
                + " IN ("
                + list(keys.size(), "?")
                + ")"
                + lock);
    for (int i = 0; i < keys.size(); i++) {
      statement.setBytes(i + 1, keys.get(i));
    }
    return statement;
  }

  /** Returns a statement that the server does not prepare first: for those of many shapes. */
  private static PreparedStatement inOneTrip(Connection connection, String sql)
      throws SQLException {
    return connection.unwrap(JdbcConnection.class).clientPrepareStatement(sql);
  }

  private static String list(int count, String element) {
    return String.join(", ", Collections.nCopies(count, element));
  }

  /** Row by row, in the driver's words. */
  @Override
  protected int fetchSize() {
    return Integer.MIN_VALUE;
  }
}
