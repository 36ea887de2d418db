package io.kvstadium.engine.sqlite;

import io.kvstadium.store.CorruptException;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A table that another program made. All keys have one storage class, so that their order is that
 * of their bytes; text is returned in UTF-8, as the file has it.
 */
final class AdoptedTable extends SqliteTable {
  private final boolean text;
  private final String valueName;

  /**
   * @param keyName the key column, as SQLite has it
   * @param valueName the value column
   * @param text whether keys are text; otherwise they are blobs
   */
  AdoptedTable(String name, String keyName, String valueName, boolean text) {
    super(name, quoted(name), columns(quoted(keyName), quoted(valueName), text));
    this.text = text;
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
  private static Columns columns(String key, String value, boolean text) {
    String bytes =
        "CASE typeof(%1$s) WHEN 'blob' THEN %1$s WHEN 'text' THEN CAST(%1$s AS BLOB) END"
            .formatted(value);
    return text
        ? new Columns(
            key + " COLLATE BINARY",
            "CAST(? AS TEXT)",
            "CASE typeof(%1$s) WHEN 'text' THEN CAST(%1$s AS BLOB) END".formatted(key),
            bytes)
        : new Columns(
            key, "?", "CASE typeof(%1$s) WHEN 'blob' THEN %1$s END".formatted(key), bytes);
  }

  @Override
  boolean isForeign() {
    return true;
  }

  @Override
  byte[] key(ResultSet row) throws SQLException {
    byte[] key = row.getBytes(1);
    if (key == null) {
      throw new CorruptException(
          "sqlite: table %s has a key that is not of type %s, as the others are: give it that type, or remove it"
              .formatted(name(), text ? "text" : "blob"));
    }
    return key;
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
}
