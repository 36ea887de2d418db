package io.kvstadium.engine.sql;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineTable;
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
   * @param key as it is compared and ordered
   * @param given what stands for a key that is a parameter
   * @param keyRead as it is read
   * @param valueRead as it is read
   */
  public record Columns(String key, String given, String keyRead, String valueRead) {}

  /**
   * @param quoted the name in SQL, with its quotation marks
   * @param numbered whether a number stands before key and value in each row, as in schema=casket
   */
  protected SqlTable(String name, String quoted, String key, String value, boolean numbered) {
    this(name, quoted, new Columns(key, "?", key, value), numbered);
  }

  /** With columns that are not read and compared as they are. */
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

  /** The name in SQL, quoted. */
  public final String quoted() {
    return quoted;
  }

  /** Whether it is made as in schema=casket. */
  public final boolean isCasket() {
    return numbered;
  }

  /** Finds a key's row. */
  public final String exists() {
    return exists;
  }

  /** The query for a key's value. */
  public final String get() {
    return get;
  }

  /** Where {@link #get} has the value. */
  public final int valueColumn() {
    return numbered ? 3 : 1;
  }

  /** Removes a key's row. */
  public final String delete() {
    return delete;
  }

  /** Removes the entries of a range; its parameters are the bounds. */
  public final String delete(Range range) {
    return "DELETE FROM " + quoted + where(range);
  }

  /** The entries of a range in its order; its parameters are the bounds. */
  public final String scan(Range range) {
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

  /** What stands behind the table's name in {@link #scan}. */
  protected String scanHint() {
    return "";
  }

  private String where(Range range) {
    String from = range.from() == null ? "" : bound(range.fromInclusive() ? " >= " : " > ");
    String to = range.to() == null ? "" : bound(range.toInclusive() ? " <= " : " < ");
    String glue = from.isEmpty() || to.isEmpty() ? "" : " AND ";
    return from.isEmpty() && to.isEmpty() ? "" : " WHERE " + from + glue + to;
  }

  private String bound(String comparison) {
    return columns.key() + comparison + columns.given();
  }

  /** Sets the bounds that there are; returns how many. */
  public static int bind(Range range, PreparedStatement statement) throws SQLException {
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
