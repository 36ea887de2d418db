package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.RecordReader;
import io.kvstadium.transfer.format.TupleKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of an SQL database. The key is a column or several, the value another one, or all others
 * as JSON; entries come in the order in which the database gives them.
 */
public final class SqlSource implements EntrySource {
  private final Database database;
  private final TableName table;
  private final List<String> keys;

  /** Whether the key is the primary key. */
  private final boolean unique;

  private final @Nullable String value;
  private final int maxBytes;
  private final String statement;

  private SqlSource(
      Database database,
      TableName table,
      List<String> keys,
      boolean unique,
      @Nullable String value,
      int maxBytes,
      String statement) {
    this.database = database;
    this.table = table;
    this.keys = keys;
    this.unique = unique;
    this.value = value;
    this.maxBytes = maxBytes;
    this.statement = statement;
  }

  /** Whether this is an SQLite file, by its name or its content. */
  public static boolean isFile(Path path) {
    return SqliteFile.is(path);
  }

  /**
   * Looks at the table.
   *
   * @param place a JDBC URL, or the path of an SQLite file
   * @param asked without a key, it is the primary key; without a value, it is the only other
   *     column, else all others
   * @throws BadArgumentException if there is no driver, no such table or column; lists what there
   *     is
   */
  public static SqlSource open(String place, Columns asked, Engines engines) {
    Database database = Database.of(place, engines);
    try (Connection connection = database.connect(database.look())) {
      TableName found = TableName.find(connection, database.name(), asked.table());
      DatabaseMetaData metaData = connection.getMetaData();
      String from = " FROM " + found.quoted(metaData);
      Map<String, Integer> types = columns(connection, from);
      List<String> columns = List.copyOf(types.keySet());
      String where = database.name() + ", table " + found;
      List<String> keys =
          asked.key() == null
              ? primaryKey(connection, found, columns, where)
              : TupleKey.columns(asked.key(), columns, where).stream().map(columns::get).toList();
      List<String> values = new ArrayList<>(columns);
      values.removeAll(keys);
      if (asked.value() != null) {
        values = List.of(columns.get(TupleKey.column(asked.value(), columns, where)));
      }
      List<String> selected = new ArrayList<>();
      for (String each : Stream.concat(keys.stream(), values.stream()).toList()) {
        int type = types.getOrDefault(each, Types.OTHER);
        selected.add(selected(database.kind(), TableName.quoted(each, metaData), type));
      }
      return new SqlSource(
          database,
          found,
          keys,
          asked.key() == null,
          values.size() == 1 ? values.getFirst() : null,
          asked.maxBytes(),
          "SELECT " + String.join(", ", selected) + from);
    } catch (SQLException e) {
      throw database.failed("opening", e);
    }
  }

  /**
   * What selects a column as it is stored: MySQL sends a FLOAT as 6 digits, which other numbers
   * have, too, and a DOUBLE in full.
   *
   * @param kind of the database
   * @param type of the column, one of {@link Types}
   */
  static String selected(String kind, String quoted, int type) {
    boolean rounded =
        (kind.equals("mysql") || kind.equals("mariadb"))
            && (type == Types.REAL || type == Types.FLOAT);
    return rounded ? quoted + " + 0e0 AS " + quoted : quoted;
  }

  /** The names of the columns, in their order, and their types. */
  private static Map<String, Integer> columns(Connection connection, String from)
      throws SQLException {
    Map<String, Integer> columns = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT *" + from + " WHERE 1 = 0")) {
      for (int k = 1; k <= none.getMetaData().getColumnCount(); k++) {
        columns.put(none.getMetaData().getColumnName(k), none.getMetaData().getColumnType(k));
      }
    }
    return columns;
  }

  private static List<String> primaryKey(
      Connection connection, TableName table, List<String> columns, String where)
      throws SQLException {
    List<String> key = table.primaryKey(connection);
    if (key.isEmpty()) {
      throw new BadArgumentException(
          where
              + " has no primary key: which column is the key? Give one of "
              + RecordReader.shown(columns)
              + " as --key, or several, as in --key a,b");
    }
    return key;
  }

  @Override
  public String name() {
    return database.name() + ", table " + table;
  }

  @Override
  public String format() {
    return database.kind();
  }

  @Override
  public boolean hasUniqueKeys() {
    return unique;
  }

  List<String> keys() {
    return keys;
  }

  /** The only column of the value, or {@code null} if it is made of several. */
  @Nullable String value() {
    return value;
  }

  int maxBytes() {
    return maxBytes;
  }

  String table() {
    return table.name();
  }

  Map<String, String> describe() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("key", (keys.size() == 1 ? "column " : "columns ") + String.join(", ", keys));
    words.put("value", value == null ? "all other columns, as JSON" : "column " + value);
    return words;
  }

  @Override
  public SourceReader read() {
    SqliteFile file = database.look();
    try {
      Connection connection = database.connect(file);
      try {
        Statement rows = database.streaming(connection);
        return new Rows(this, connection, rows.executeQuery(statement), file);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  BadArgumentException failed(SQLException e) {
    return database.failed("reading table " + table + " of", e);
  }
}
