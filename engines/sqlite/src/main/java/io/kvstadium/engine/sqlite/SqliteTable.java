package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.SqlTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Pattern;

/** A table of the store. Immutable, except for the mark that it was dropped. */
class SqliteTable extends SqlTable {
  /** The prefix of the SQL names of the store's tables; others are not touched. */
  static final String PREFIX = "t_";

  private static final Pattern CAPITALS = Pattern.compile("[A-Z^]");
  private static final Pattern WRITTEN_CAPITALS = Pattern.compile("\\^([a-z^])");

  private final int id;
  private volatile boolean dropped;

  /**
   * @param id where sessions keep its statements; never used again for another table of the store
   */
  SqliteTable(String name, int id) {
    super(name, '"' + sqlName(name).replace("\"", "\"\"") + '"', "k", "v", false);
    this.id = id;
  }

  /** A table with its own columns. */
  SqliteTable(String name, int id, String quoted, Columns columns) {
    super(name, quoted, columns);
    this.id = id;
  }

  /** Whether another program made it: a value may then be anything. */
  boolean isForeign() {
    return false;
  }

  /** Returns the key in the row that a scan is at. */
  byte[] key(ResultSet row) throws SQLException {
    return row.getBytes(1);
  }

  /** Returns the value in the row that a statement is at. */
  byte[] value(ResultSet row, int column) throws SQLException {
    return row.getBytes(column);
  }

  int id() {
    return id;
  }

  boolean isDropped() {
    return dropped;
  }

  void markDropped() {
    dropped = true;
  }

  /** Returns the SQL that makes the table, unless it exists. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted()
        + " (k BLOB NOT NULL PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID";
  }

  /**
   * Returns the SQL that puts entries. REPLACE finds the key's place once and overwrites it, while
   * an upsert looks it up twice: REPLACE took about 0.75 to 0.95 of the upsert's time for
   * overwriting, and the same for new keys. No table of ours has triggers or foreign keys, so both
   * mean the same.
   */
  String put(int entries) {
    return "REPLACE INTO " + quoted() + " VALUES (?, ?)" + ", (?, ?)".repeat(entries - 1);
  }

  /**
   * Returns the table's name in the database. To SQLite, names that differ only in the case of
   * ASCII letters are the same, so a capital letter is written as {@code ^} and the small one.
   */
  static String sqlName(String name) {
    return PREFIX
        + CAPITALS.matcher(name).replaceAll(found -> "^" + found.group().toLowerCase(Locale.ROOT));
  }

  /** The inverse of {@link #sqlName}. */
  static String storeName(String sqlName) {
    return WRITTEN_CAPITALS
        .matcher(sqlName.substring(PREFIX.length()))
        .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
  }
}
