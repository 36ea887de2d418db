package io.kvstadium.engine.sqlite;

import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tables of another program's database are tables of entries: those with a unique key column
 * of one storage class and another column of values, either named by options or the only choice.
 */
final class Adoption {
  private final Session session;
  private final Map<String, Plan> plans = new HashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();

  /** How to read a table. */
  private record Plan(String key, String value, boolean text) {}

  /** Says why a table cannot be read. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    Refusal(String why) {
      super(why);
    }
  }

  private Adoption(Session session) {
    this.session = session;
  }

  /** Looks at all tables. */
  static Adoption of(Session session, StoreConfig config) throws SQLException {
    Adoption adoption = new Adoption(session);
    String encoding = session.query("PRAGMA encoding");
    if (!encoding.equals("UTF-8")) {
      throw new UnsupportedException(
          ("sqlite: %s stores its text in %s, but only UTF-8 is offered: make a new one"
                  + " from sqlite3's .dump")
              .formatted(config.directory(), encoding));
    }
    for (String table :
        session.queryAll(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'")) {
      try {
        adoption.plans.put(table, adoption.plan(table, config.tableOptions(table)));
      } catch (Refusal e) {
        adoption.unreadable.put(table, String.valueOf(e.getMessage()));
      }
    }
    return adoption;
  }

  Map<String, String> unreadable() {
    return unreadable;
  }

  Set<String> tables() {
    return plans.keySet();
  }

  /** The table of this name, which is one of {@link #tables}. */
  @Nullable AdoptedTable table(String name) {
    Plan plan = plans.get(name);
    return plan == null ? null : new AdoptedTable(name, plan.key(), plan.value(), plan.text());
  }

  private Plan plan(String table, Options options) throws SQLException, Refusal {
    if (!session
        .queryAll("SELECT 1 FROM sqlite_schema WHERE rootpage = 0 AND name = " + text(table))
        .isEmpty()) {
      throw new Refusal("it is a virtual table");
    }
    List<String> columns = columns(table, "hidden <> 1");
    List<String> primary = columns(table, "pk > 0");
    String named = named(options.text("key"), columns);
    String key = named == null ? onlyKey(table, columns, primary) : named;
    List<String> others = columns.stream().filter(column -> !column.equals(key)).toList();
    named = named(options.text("value"), columns);
    String value = named == null ? onlyValue(table, key, others) : named;
    String type = type(table, key);
    if (type.contains("INT")) { // as a table's rowid, or by its affinity
      throw new Refusal("its keys in column " + key + " are numbers");
    }
    checkUnique(table, key);
    return new Plan(key, value, isText(table, key, type));
  }

  private static @Nullable String named(String option, List<String> columns) throws Refusal {
    if (option.isEmpty()) {
      return null;
    }
    for (String column : columns) {
      if (column.equalsIgnoreCase(option)) {
        return column;
      }
    }
    throw new Refusal(
        "it has no column " + option + ": its columns are " + String.join(", ", columns));
  }

  private static String onlyKey(String table, List<String> columns, List<String> primary)
      throws Refusal {
    if (primary.size() == 1) {
      return primary.getFirst();
    }
    throw new Refusal(
        "it has %s: name a unique column with table.%s.key=COLUMN; its columns are %s"
            .formatted(
                primary.isEmpty() ? "no primary key" : "a primary key of several columns",
                table,
                String.join(", ", columns)));
  }

  private static String onlyValue(String table, String key, List<String> others) throws Refusal {
    if (others.size() == 1) {
      return others.getFirst();
    }
    throw new Refusal(
        others.isEmpty()
            ? "it has no column of values"
            : ("it has several columns besides %s: name the value column with"
                    + " table.%s.value=COLUMN, one of %s")
                .formatted(key, table, String.join(", ", others)));
  }

  private List<String> columns(String table, String which) throws SQLException {
    return session.queryAll(
        "SELECT name FROM pragma_table_xinfo(" + text(table) + ") WHERE " + which);
  }

  /** Refuses keys that are not unique, or that are not compared by their bytes. */
  private void checkUnique(String table, String key) throws SQLException, Refusal {
    List<String> collations =
        session.queryAll(
            "SELECT x.coll FROM pragma_index_list("
                + text(table)
                + ") AS i, pragma_index_xinfo(i.name) AS x WHERE i.\"unique\" = 1 AND i.partial = 0"
                + " AND x.key = 1 AND x.name = "
                + text(key)
                + " AND (SELECT count(*) FROM pragma_index_xinfo(i.name) WHERE key = 1) = 1");
    if (collations.isEmpty()) {
      throw new Refusal(
          "its column " + key + " is not unique: make it the primary key, or give it an index");
    }
    if (!collations.contains("BINARY")) {
      throw new Refusal(
          "its column %s is compared by collation %s, not by its bytes"
              .formatted(key, collations.getFirst()));
    }
  }

  /**
   * Whether all keys are text, and not blobs: SQLite sorts by storage class first, so the first and
   * the last key tell. Without any key, by SQLite's rule for what the column is declared as.
   */
  private boolean isText(String table, String key, String declared) throws SQLException, Refusal {
    String column = AdoptedTable.quoted(key);
    String end =
        "SELECT typeof(%s) FROM %s ORDER BY %s COLLATE BINARY"
            .formatted(column, AdoptedTable.quoted(table), column);
    String first = session.query(end + " LIMIT 1");
    String last = session.query(end + " DESC LIMIT 1");
    if (!first.equals(last)) {
      throw new Refusal(
          "its keys in column " + key + " are of several types, from " + first + " to " + last);
    }
    return switch (first) {
      case "blob" -> false;
      case "text" -> true;
      case "" ->
          declared.contains("CHAR") || declared.contains("CLOB") || declared.contains("TEXT");
      default -> throw new Refusal("its keys in column " + key + " are of type " + first);
    };
  }

  private String type(String table, String column) throws SQLException {
    return session
        .query(
            "SELECT type FROM pragma_table_xinfo(" + text(table) + ") WHERE name = " + text(column))
        .toUpperCase(Locale.ROOT);
  }

  private static String text(String name) {
    return "'" + name.replace("'", "''") + "'";
  }
}
