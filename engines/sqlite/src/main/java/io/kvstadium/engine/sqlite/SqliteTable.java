package io.kvstadium.engine.sqlite;

import io.kvstadium.engine.sql.SqlTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A table of the store. */
class SqliteTable extends SqlTable {
  /** The prefix of the SQL names of the store's tables; others are not touched. */
  static final String PREFIX = "t_";

  private static final Pattern CAPITALS = Pattern.compile("[A-Z^]");
  private static final Pattern WRITTEN_CAPITALS = Pattern.compile("\\^([a-z^])");

  /**
   * How many entries {@link #putSeveral} puts: with entries of 100 bytes this took half the time of
   * single puts; 4 and 64 gained less.
   */
  static final int SEVERAL = 16;

  private final String put = put(1);
  private final String putSeveral = put(SEVERAL);

  SqliteTable(String name) {
    super(name, '"' + sqlName(name) + '"', "k", "v", false);
  }

  /** A table with its own columns. */
  SqliteTable(String name, String quoted, Columns columns) {
    super(name, quoted, columns);
  }

  /** Whether another program made it: a value may then be anything. */
  boolean isForeign() {
    return false;
  }

  /** Returns the key in the row that a scan is at. */
  byte[] key(ResultSet row) throws SQLException {
    return notNull(row, 1);
  }

  /** Returns the value in the row that a statement is at. */
  byte[] value(ResultSet row, int column) throws SQLException {
    return notNull(row, column);
  }

  /** Returns what is never NULL, unless the file is damaged. */
  private static byte[] notNull(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    if (bytes == null) {
      throw new SQLiteException("NULL where none can be", SQLiteErrorCode.SQLITE_CORRUPT);
    }
    return bytes;
  }

  /** Returns the SQL that makes the table, unless it exists. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted()
        + " (k BLOB NOT NULL PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID";
  }

  /** Returns the SQL that puts an entry. */
  String put() {
    return put;
  }

  /** Returns the SQL that puts {@value #SEVERAL} entries. */
  String putSeveral() {
    return putSeveral;
  }

  /**
   * Returns the SQL that puts entries. REPLACE finds the key's place once and overwrites it, while
   * an upsert looks it up twice: REPLACE took about 0.75 to 0.95 of the upsert's time for
   * overwriting, and the same for new keys. No table of ours has triggers or foreign keys, so both
   * mean the same.
   */
  private String put(int entries) {
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
