package io.kvstadium.engine.sqlite;

import io.kvstadium.store.spi.EngineTable;

/** A table of the store. Immutable, but for the mark that it was dropped. */
final class SqliteTable implements EngineTable {
  /** What the SQL names of tables of the store begin with; others are not touched. */
  static final String PREFIX = "t_";

  private final String name;
  private final int id;
  private volatile boolean dropped;

  /**
   * @param id where sessions keep its statements; never used again for another table of the store
   */
  SqliteTable(String name, int id) {
    this.name = name;
    this.id = id;
  }

  @Override
  public String name() {
    return name;
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

  /** The name in SQL, quoted. */
  String quoted() {
    return '"' + sqlName(name).replace("\"", "\"\"") + '"';
  }

  /**
   * The table's name in the database. SQLite takes names that differ only in the case of ASCII
   * letters for the same, so capital letters are written as {@code ^} and the small one.
   */
  static String sqlName(String name) {
    StringBuilder sql = new StringBuilder(PREFIX);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '^') {
        sql.append("^^");
      } else if (c >= 'A' && c <= 'Z') {
        sql.append('^').append((char) (c + ('a' - 'A')));
      } else {
        sql.append(c);
      }
    }
    return sql.toString();
  }

  /** The inverse of {@link #sqlName}. */
  static String storeName(String sqlName) {
    StringBuilder name = new StringBuilder();
    for (int i = PREFIX.length(); i < sqlName.length(); i++) {
      char c = sqlName.charAt(i);
      if (c == '^' && i + 1 < sqlName.length()) {
        i++;
        char next = sqlName.charAt(i);
        name.append(next == '^' ? '^' : (char) (next - ('a' - 'A')));
      } else {
        name.append(c);
      }
    }
    return name.toString();
  }
}
