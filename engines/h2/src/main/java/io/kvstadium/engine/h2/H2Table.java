package io.kvstadium.engine.h2;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineTable;
import java.util.ArrayList;
import java.util.List;

/** A table and its SQL; compared by identity. */
final class H2Table implements EngineTable {
  /** What the SQL names of tables begin with, which says how they were made. */
  enum Shape {
    /** Keys and values. */
    PLAIN("t_", "k", "v"),
    /** A number for each row, and an index on the key. */
    CASKET("c_", "key_", "\"VALUE\"");

    final String prefix;
    final String key;
    final String value;

    Shape(String prefix, String key, String value) {
      this.prefix = prefix;
      this.key = key;
      this.value = value;
    }
  }

  /** The longest key of a casket. */
  static final int CASKET_KEY_BYTES = 255;

  private final String name;
  private final Shape shape;
  private final String quoted;
  private final String get;
  private final String put;
  private final String update;
  private final String delete;
  private volatile boolean smallValues;

  H2Table(String name, Shape shape) {
    this.name = name;
    this.shape = shape;
    this.quoted = '"' + sqlName() + '"';
    String where = " WHERE " + shape.key + " = ?";
    boolean casket = shape == Shape.CASKET;
    this.get = "SELECT " + (casket ? "*" : shape.value) + " FROM " + quoted + where;
    this.put =
        (casket ? "INSERT INTO " + quoted + " (key_, \"VALUE\")" : "MERGE INTO " + quoted)
            + " VALUES (?, ?)";
    this.update = "UPDATE " + quoted + " SET " + shape.value + " = ?" + where;
    this.delete = "DELETE FROM " + quoted + where;
  }

  @Override
  public String name() {
    return name;
  }

  boolean isCasket() {
    return shape == Shape.CASKET;
  }

  /** The name in SQL; it holds no quotation marks. */
  String sqlName() {
    return shape.prefix + name;
  }

  /** The same, quoted. */
  String quoted() {
    return quoted;
  }

  String creation() {
    return "CREATE TABLE "
        + quoted
        + (isCasket()
            ? " (id INTEGER AUTO_INCREMENT PRIMARY KEY, key_ VARBINARY("
                + CASKET_KEY_BYTES
                + ") NOT NULL UNIQUE, \"VALUE\" BLOB NOT NULL)"
            : " (k VARBINARY PRIMARY KEY, v VARBINARY NOT NULL)");
  }

  /** The query for a key's row. */
  String get() {
    return get;
  }

  /** Where the value is in that row. */
  int valueColumn() {
    return isCasket() ? 3 : 1;
  }

  /** Sets an entry; on a casket only one that is not there yet. */
  String put() {
    return put;
  }

  /** Adds an entry that is not there yet. */
  String insert() {
    return isCasket() ? put : "INSERT INTO " + quoted + " VALUES (?, ?)";
  }

  /** Value first, then key. */
  String update() {
    return update;
  }

  String delete() {
    return delete;
  }

  /** Whether many values may be fetched at once, as far as is known: those of the latest scan. */
  boolean hasSmallValues() {
    return smallValues;
  }

  /** Remembers it. */
  void seen(boolean small) {
    if (small != smallValues) { // most often it is not, and then threads share the line
      smallValues = small;
    }
  }

  /** The first entries of a range; its bounds come first, then their number. */
  String page(Range range) {
    StringBuilder sql = new StringBuilder("SELECT ").append(shape.key);
    sql.append(range.withoutValues() ? "" : ", " + shape.value);
    sql.append(" FROM ").append(quoted).append(where(range));
    sql.append(" ORDER BY ").append(shape.key).append(range.reversed() ? " DESC" : "");
    return sql.append(" LIMIT ?").toString();
  }

  /** Removes the entries of a range; its parameters are the bounds. */
  String delete(Range range) {
    return "DELETE FROM " + quoted + where(range);
  }

  private String where(Range range) {
    String lower = range.fromInclusive() ? " >= ?" : " > ?";
    String upper = range.toInclusive() ? " <= ?" : " < ?";
    List<String> conditions = new ArrayList<>();
    if (range.from() != null) {
      conditions.add(shape.key + lower);
    }
    if (range.to() != null) {
      conditions.add(shape.key + upper);
    }
    return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
  }
}
