package io.kvstadium.engine.sql;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineTable;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A table with a column for keys and one for values, and its SQL; compared by identity. */
public abstract class SqlTable implements EngineTable {
  private final String name;
  private final String quoted;
  private final Columns columns;
  private final boolean numbered;
  private final String exists;
  private final String get;
  private final String delete;

  /**
   * The two columns in SQL.
   *
   * @param key the key as it is compared and ordered
   * @param given the expression for a key that is a parameter
   * @param keyRead the key as it is read
   * @param valueRead the value as it is read
   */
  public record Columns(String key, String given, String keyRead, String valueRead) {}

  /**
   * @param quoted the name in SQL, with its quotation marks
   * @param numbered whether each row has a number before key and value, as in schema=casket
   */
  protected SqlTable(String name, String quoted, String key, String value, boolean numbered) {
    this(name, quoted, new Columns(key, "?", key, value), numbered);
  }

  /** A table with columns that are not read and compared as they are. */
  protected SqlTable(String name, String quoted, Columns columns) {
    this(name, quoted, columns, false);
  }

  private SqlTable(String name, String quoted, Columns columns, boolean numbered) {
    this.name = name;
    this.quoted = quoted;
    this.columns = columns;
    this.numbered = numbered;
    String where = " FROM " + quoted + " WHERE " + columns.key() + " = " + columns.given();
    this.exists = "SELECT 1" + where;
    this.get = "SELECT " + (numbered ? "*" : columns.valueRead()) + where;
    this.delete = "DELETE" + where;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Returns the name in SQL, quoted. */
  public final String quoted() {
    return quoted;
  }

  /** Whether the table is made as in schema=casket. */
  public final boolean isCasket() {
    return numbered;
  }

  /** Returns the query for a key's row. */
  public final String exists() {
    return exists;
  }

  /** Returns the query for a key's value. */
  public final String get() {
    return get;
  }

  /** Returns the column of the value in the result of {@link #get}. */
  public final int valueColumn() {
    return numbered ? 3 : 1;
  }

  /** Returns the statement that removes a key's row. */
  public final String delete() {
    return delete;
  }

  /** Returns the statement that removes a range; its parameters are the bounds. */
  public final String delete(Range<byte[]> range) {
    return "DELETE FROM " + quoted + where(range);
  }

  /** Returns the query for a range's entries in its order; its parameters are the bounds. */
  public final String scan(Range<byte[]> range) {
    return "SELECT "
        + (range.withoutValues()
            ? columns.keyRead()
            : columns.keyRead() + ", " + columns.valueRead())
        + " FROM "
        + quoted
        + scanHint()
        + where(range)
        + " ORDER BY "
        + columns.key()
        + (range.reversed() ? " DESC" : "");
  }

  /** Returns what follows the table's name in {@link #scan}. */
  protected String scanHint() {
    return "";
  }

  private String where(Range<byte[]> range) {
    String from = range.from() == null ? "" : bound(range.fromInclusive() ? " >= " : " > ");
    String to = range.to() == null ? "" : bound(range.toInclusive() ? " <= " : " < ");
    String glue = from.isEmpty() || to.isEmpty() ? "" : " AND ";
    return from.isEmpty() && to.isEmpty() ? "" : " WHERE " + from + glue + to;
  }

  private String bound(String comparison) {
    return columns.key() + comparison + columns.given();
  }

  /** Sets the bounds that the range has; returns how many. */
  public static int bind(Range<byte[]> range, PreparedStatement statement) throws SQLException {
    int bounds = 0;
    if (range.from() != null) {
      bounds++;
      statement.setBytes(bounds, range.from());
    }
    if (range.to() != null) {
      bounds++;
      statement.setBytes(bounds, range.to());
    }
    return bounds;
  }
}
