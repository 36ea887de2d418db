package io.kvstadium.engine.mysql;

import io.kvstadium.store.Limits;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.spi.EngineTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A table of the store with its SQL. Immutable. */
final class MysqlTable implements EngineTable {
  /** The two forms that a table may have. */
  enum Form {
    /** The key is what InnoDB takes into an index with pages of 16 kB. */
    KV("k", "v", "", 3_072, 64 << 20),
    /** The columns of the comparison that it comes from. */
    CASKET("key_", "value", " FORCE INDEX (key_)", 255, 65_535);

    final String key;
    final String value;

    /** Without it, a scan may sort the whole table instead of following the index. */
    final String scanHint;

    /** What its columns take. */
    Limits limits() {
      return new Limits(maxKey, maxValue);
    }

    /** By the word in options. */
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
  final String quoted;
  final String get;
  final String exists;
  final String put;
  final String delete;

  /** Where {@link #get} has the value. */
  final int valueColumn;

  private final String name;

  /**
   * @param id of its row in {@code kv_stadium}
   */
  MysqlTable(String name, long id, Form form) {
    this.name = name;
    this.form = form;
    boolean casket = form == Form.CASKET;
    String prefix = casket ? "casket" : "kv";
    this.sqlName = casket && name.equals(Store.DEFAULT_TABLE) ? prefix : prefix + "_" + id;
    this.quoted = "`" + sqlName + "`";
    String where = " FROM " + quoted + " WHERE " + form.key + " = ?";
    this.get = "SELECT " + (casket ? "*" : form.value) + where;
    this.exists = "SELECT 1" + where;
    this.delete = "DELETE" + where;
    this.put = put(1);
    this.valueColumn = casket ? 3 : 1;
  }

  @Override
  public String name() {
    return name;
  }

  /** The SQL that makes it, unless it is there. */
  String creation() {
    return "CREATE TABLE IF NOT EXISTS "
        + quoted
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

  /** Puts so many entries; key and value of one after those of the other. */
  String put(int entries) {
    return "INSERT INTO "
        + quoted
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

  /** Gives keys and values of those among so many keys that are there. */
  String getAll(int keys) {
    return "SELECT " + form.key + ", " + form.value + " FROM " + quoted + in(keys);
  }

  String deleteAll(int keys) {
    return "DELETE FROM " + quoted + in(keys);
  }

  private String in(int keys) {
    return " WHERE " + form.key + " IN (" + list(keys, "?") + ")";
  }

  private static String list(int count, String element) {
    return String.join(", ", Collections.nCopies(count, element));
  }

  /** Its parameters are the bounds that there are, and the most rows. */
  String scan(Range range) {
    StringBuilder sql = new StringBuilder("SELECT ").append(form.key);
    sql.append(range.withoutValues() ? "" : ", " + form.value).append(" FROM ").append(quoted);
    sql.append(form.scanHint).append(where(range));
    sql.append(" ORDER BY ").append(form.key).append(range.reversed() ? " DESC" : "");
    return sql.append(" LIMIT ?").toString();
  }

  /** Removes the entries of a range; its parameters are the bounds that there are. */
  String delete(Range range) {
    return "DELETE FROM " + quoted + where(range);
  }

  private String where(Range range) {
    String lower = range.fromInclusive() ? " >= ?" : " > ?";
    String upper = range.toInclusive() ? " <= ?" : " < ?";
    List<String> conditions = new ArrayList<>();
    if (range.from() != null) {
      conditions.add(form.key + lower);
    }
    if (range.to() != null) {
      conditions.add(form.key + upper);
    }
    return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
  }
}
