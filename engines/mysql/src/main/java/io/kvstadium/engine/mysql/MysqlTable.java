package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.SqlTable;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.Limits;
import java.util.Collections;
import java.util.Locale;

/** A table of the store with its SQL. Immutable. */
final class MysqlTable extends SqlTable {
  /** The two forms that a table may have. */
  enum Form {
    /** The key is as long as InnoDB allows in an index with pages of 16 kB. */
    KV("k", "v", "", 3_072, 64 << 20),
    /** The columns of the old comparison that it comes from. */
    CASKET("key_", "value", " FORCE INDEX (key_)", 255, 65_535);

    final String key;
    final String value;

    /** Without it, a scan may sort the whole table instead of following the index. */
    final String scanHint;

    /** What its columns can hold. */
    Limits limits() {
      return new Limits(maxKey, maxValue);
    }

    private String sqlName(String name, long id) {
      return this == KV ? "kv_" + id : name.equals(Store.DEFAULT_TABLE) ? "casket" : "casket_" + id;
    }

    /** The form by its name in options. */
    static Form of(String schema) {
      return valueOf(schema.toUpperCase(Locale.ROOT));
    }

    private final int maxKey;
    private final int maxValue;

    Form(String key, String value, String scanHint, int maxKey, int maxValue) {
      this.key = key;
      this.value = value;
      this.scanHint = scanHint;
      this.maxKey = maxKey;
      this.maxValue = maxValue;
    }
  }

  final String sqlName;
  final Form form;
  final String put;

  /**
   * @param id the id of its row in {@code kv_stadium}
   */
  MysqlTable(String name, long id, Form form) {
    String sqlName = form.sqlName(name, id);
    super(name, "`" + sqlName + "`", form.key, form.value, form == Form.CASKET);
    this.sqlName = sqlName;
    this.form = form;
    this.put = put(1);
  }

  @Override
  protected String scanHint() {
    return form.scanHint;
  }

  /** The SQL that makes the table, unless it is there. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted()
        + switch (form) {
          case KV ->
              " (k VARBINARY(" + form.maxKey + ") NOT NULL PRIMARY KEY, v LONGBLOB NOT NULL)";
          case CASKET ->
              " (id INTEGER AUTO_INCREMENT PRIMARY KEY, key_ VARBINARY("
                  + form.maxKey
                  + ") NOT NULL, value BLOB NOT NULL, UNIQUE INDEX key_ (key_))";
        }
        + " ENGINE=InnoDB ROW_FORMAT=DYNAMIC";
  }

  /** The SQL that puts the given number of entries; each entry's key is followed by its value. */
  String put(int entries) {
    return "INSERT INTO "
        + quoted()
        + " ("
        + form.key
        + ", "
        + form.value
        + ") VALUES "
        + list(entries, "(?, ?)")
        + " ON DUPLICATE KEY UPDATE "
        + form.value
        + " = VALUES("
        + form.value
        + ")";
  }

  /**
   * The SQL that returns keys and values of those among the given number of keys that are there.
   */
  String multiGet(int keys) {
    return "SELECT " + form.key + ", " + form.value + " FROM " + quoted() + in(keys);
  }

  String deleteAll(int keys) {
    return "DELETE FROM " + quoted() + in(keys);
  }

  private String in(int keys) {
    return " WHERE " + form.key + " IN (" + list(keys, "?") + ")";
  }

  private static String list(int count, String element) {
    return String.join(", ", Collections.nCopies(count, element));
  }
}
