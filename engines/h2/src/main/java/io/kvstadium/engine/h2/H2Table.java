package io.kvstadium.engine.h2;

import io.kvstadium.engine.sql.SqlTable;

/** A table with H2's SQL. */
final class H2Table extends SqlTable {
  /** How a table was made, which the prefix of its SQL name says. */
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

  private final Shape shape;
  private final String put;
  private final String update;
  private volatile boolean smallValues;

  H2Table(String name, Shape shape) {
    super(name, '"' + shape.prefix + name + '"', shape.key, shape.value, shape == Shape.CASKET);
    this.shape = shape;
    this.put =
        (isCasket() ? "INSERT INTO " + quoted() + " (key_, \"VALUE\")" : "MERGE INTO " + quoted())
            + " VALUES (?, ?)";
    this.update = "UPDATE " + quoted() + " SET " + shape.value + " = ? WHERE " + shape.key + " = ?";
  }

  /** Returns the name in SQL, which contains no quotation marks. */
  String sqlName() {
    return shape.prefix + name();
  }

  String creation() {
    return "CREATE TABLE "
        + quoted()
        + (isCasket()
            ? " (id INTEGER AUTO_INCREMENT PRIMARY KEY, key_ VARBINARY("
                + CASKET_KEY_BYTES
                + ") NOT NULL UNIQUE, \"VALUE\" BLOB NOT NULL)"
            : " (k VARBINARY PRIMARY KEY, v VARBINARY NOT NULL)");
  }

  /** Returns the SQL that sets an entry; in a casket only one that does not exist yet. */
  String put() {
    return put;
  }

  /** Returns the SQL that adds an entry that does not exist yet. */
  String insert() {
    return isCasket() ? put : "INSERT INTO " + quoted() + " VALUES (?, ?)";
  }

  /** Returns the SQL that changes an entry: value first, then key. */
  String update() {
    return update;
  }

  /** Whether many values may be fetched at once, judging by those of the latest scan. */
  boolean hasSmallValues() {
    return smallValues;
  }

  /** Remembers whether the values of a scan were small. */
  void seen(boolean small) {
    if (small != smallValues) { // rarely written, so threads can share the cache line
      smallValues = small;
    }
  }
}
