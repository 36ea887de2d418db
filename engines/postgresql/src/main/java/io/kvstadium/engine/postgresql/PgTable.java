package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.SqlTable;

/** A table of the store with its SQL. Immutable. */
final class PgTable extends SqlTable {
  final String put;

  /** Puts the entries of two arrays of the same length; no key may be there twice. */
  final String putAll;

  final String multiGet;
  final String deleteAll;

  /**
   * @param schema the store's
   */
  PgTable(String schema, String name) {
    super(name, quoted(schema) + "." + quoted(PgNames.stored(name)), "k", "v", false);
    String update = " ON CONFLICT (k) DO UPDATE SET v = excluded.v";
    this.put = "INSERT INTO " + quoted() + " (k, v) VALUES (?, ?)" + update;
    this.putAll = "INSERT INTO " + quoted() + " (k, v) SELECT * FROM unnest(?, ?)" + update;
    this.multiGet = "SELECT k, v FROM " + quoted() + " WHERE k = ANY (?)";
    this.deleteAll = "DELETE FROM " + quoted() + " WHERE k = ANY (?)";
  }

  /** The SQL that makes the table, unless it is there. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted()
        + " (k bytea NOT NULL PRIMARY KEY, v bytea NOT NULL)";
  }

  /** A name in SQL. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
