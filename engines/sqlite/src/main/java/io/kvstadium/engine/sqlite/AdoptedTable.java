package io.kvstadium.engine.sqlite;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;

/**
 * A table that another program made. All keys have one storage class, so that their order is that
 * of their bytes; text is returned in UTF-8, as the file has it.
 */
final class AdoptedTable extends SqliteTable {
  /** The storage class of a table's keys in SQLite. */
  enum Keys {
    BLOB,
    TEXT,
    INTEGER
  }

  private final Keys keys;
  private final String valueName;

  /**
   * @param keyName the key column, as SQLite has it
   * @param valueName the value column
   */
  AdoptedTable(String name, int id, String keyName, String valueName, Keys keys) {
    super(name, id, quoted(name), columns(quoted(keyName), quoted(valueName), keys));
    this.keys = keys;
    this.valueName = quoted(valueName);
  }

  /** A name in SQL. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Anything of another class is read as NULL. What is compared keeps its index; a parameter gets
   * its class by a cast, which leaves the bytes alone.
   */
  private static Columns columns(String key, String value, Keys keys) {
    String bytes =
        "CASE typeof(%1$s) WHEN 'blob' THEN %1$s WHEN 'text' THEN CAST(%1$s AS BLOB) END";
    return switch (keys) {
      case BLOB ->
          new Columns(
              key,
              "?",
              "CASE typeof(%1$s) WHEN 'blob' THEN %1$s END".formatted(key),
              bytes.formatted(value));
      case TEXT ->
          new Columns(
              key + " COLLATE BINARY",
              "CAST(? AS TEXT)",
              "CASE typeof(%1$s) WHEN 'text' THEN CAST(%1$s AS BLOB) END".formatted(key),
              bytes.formatted(value));
      case INTEGER ->
          new Columns(
              key,
              "?",
              "CASE typeof(%1$s) WHEN 'integer' THEN %1$s END".formatted(key),
              bytes.formatted(value));
    };
  }

  /** In a table of numbers, anything else becomes NULL, which equals no key. */
  @Override
  void setKey(PreparedStatement statement, int index, byte[] key) throws SQLException {
    if (keys != Keys.INTEGER) {
      statement.setBytes(index, key);
    } else if (LongKeys.isNumber(key)) {
      statement.setLong(index, LongKeys.decode(key));
    } else {
      statement.setNull(index, Types.INTEGER);
    }
  }

  @Override
  byte[] key(ResultSet row) throws SQLException {
    if (keys == Keys.INTEGER) {
      long number = row.getLong(1);
      if (!row.wasNull()) {
        return LongKeys.encode(number);
      }
    } else {
      byte[] key = row.getBytes(1);
      if (key != null) {
        return key;
      }
    }
    throw new CorruptException(
        ("sqlite: table %s has a key that is not of type %s, as the others are: give it"
                + " that type, or remove it")
            .formatted(name(), keys.name().toLowerCase(Locale.ROOT)));
  }

  @Override
  byte[] value(ResultSet row, int column) throws SQLException {
    byte[] value = row.getBytes(column);
    if (value == null) {
      throw new CorruptException(
          ("sqlite: table %s has a value in column %s that is NULL or a number, not"
                  + " bytes: make it text or a blob, or remove it")
              .formatted(name(), valueName));
    }
    return value;
  }

  @Override
  Range<byte[]> adapted(Range<byte[]> range) {
    return keys == Keys.INTEGER ? LongKeys.adapted(range) : range;
  }
}
