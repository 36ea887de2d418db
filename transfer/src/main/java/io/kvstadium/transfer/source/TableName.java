package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import io.kvstadium.transfer.format.RecordReader;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table or view.
 *
 * @param schema or {@code null} where the database has none
 */
record TableName(@Nullable String schema, String name, boolean view) {
  /** Schemas in which databases keep what is not the user's. */
  private static final Set<String> SYSTEM =
      Set.of("information_schema", "pg_catalog", "sys", "mysql", "performance_schema");

  /**
   * Finds the table that is asked for, or the only one.
   *
   * @param asked its name, or {@code null}
   * @throws BadArgumentException if there is none, or more than one; lists what there is
   */
  static TableName find(Connection connection, String source, @Nullable String asked)
      throws SQLException {
    List<TableName> all = all(connection);
    if (asked == null) {
      List<TableName> tables = all.stream().filter(each -> !each.view).toList();
      if (tables.size() == 1) {
        return tables.getFirst();
      }
      throw new BadArgumentException(
          source
              + (tables.isEmpty()
                  ? " has no tables: give a database with one"
                  : ": which table? Give one of " + shown(tables) + " as --table"));
    }
    List<TableName> found = all.stream().filter(each -> each.isCalled(asked::equals)).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(each -> each.isCalled(asked::equalsIgnoreCase)).toList();
    }
    if (found.size() == 1) {
      return found.getFirst();
    }
    List<String> names = all.stream().map(TableName::name).toList();
    throw new BadArgumentException(
        found.isEmpty()
            ? source
                + ": there is no table '"
                + asked
                + "'"
                + Nearest.hint(asked, names)
                + (all.isEmpty() ? "; there is none" : "; there are " + shown(all))
            : source + ": several tables are called '" + asked + "': give one of " + shown(found));
  }

  private static List<TableName> all(Connection connection) throws SQLException {
    List<TableName> tables = new ArrayList<>();
    try (ResultSet rows =
        connection.getMetaData().getTables(connection.getCatalog(), null, "%", null)) {
      while (rows.next()) {
        String type = String.valueOf(rows.getString("TABLE_TYPE")).toUpperCase(Locale.ROOT);
        String schema = rows.getString("TABLE_SCHEM");
        boolean view = type.contains("VIEW");
        if ((view || type.contains("TABLE"))
            && !type.startsWith("SYSTEM")
            && !(schema != null && SYSTEM.contains(schema.toLowerCase(Locale.ROOT)))) {
          tables.add(new TableName(schema, rows.getString("TABLE_NAME"), view));
        }
      }
    }
    return tables;
  }

  private static String shown(List<TableName> tables) {
    boolean schemas = tables.stream().map(TableName::schema).distinct().count() > 1;
    return RecordReader.shown(
        tables.stream().map(each -> schemas ? each.toString() : each.name).toList());
  }

  private boolean isCalled(Predicate<String> asked) {
    return asked.test(name) || asked.test(toString());
  }

  /** The columns of the primary key, in its order. */
  List<String> primaryKey(Connection connection) throws SQLException {
    SortedMap<Integer, String> columns = new TreeMap<>();
    try (ResultSet rows =
        connection.getMetaData().getPrimaryKeys(connection.getCatalog(), schema, name)) {
      while (rows.next()) {
        columns.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
      }
    }
    return List.copyOf(columns.values());
  }

  /** Returns the name as a statement has it. */
  String quoted(DatabaseMetaData of) throws SQLException {
    return (schema == null ? "" : quoted(schema, of) + ".") + quoted(name, of);
  }

  /** Returns a name as a statement has it. */
  static String quoted(String name, DatabaseMetaData of) throws SQLException {
    String given = of.getIdentifierQuoteString();
    String quote = given == null || given.isBlank() ? "\"" : given;
    return quote + name.replace(quote, quote + quote) + quote;
  }

  @Override
  public String toString() {
    return schema == null ? name : schema + "." + name;
  }
}
