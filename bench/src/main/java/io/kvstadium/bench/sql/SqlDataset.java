package io.kvstadium.bench.sql;

import io.kvstadium.bench.data.Dataset;
import io.kvstadium.bench.data.DatasetOptions;
import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Nearest;
import io.kvstadium.transfer.records.RecordReader;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of an SQL database. The key is a column, the value another one or all others as JSON;
 * entries come in the order in which the database gives them.
 */
public final class SqlDataset implements Dataset {
  private final Database database;
  private final DatasetOptions options;
  private final TableName table;
  private final String key;
  private final @Nullable String value;
  private final String statement;

  private SqlDataset(
      Database database,
      DatasetOptions options,
      TableName table,
      String key,
      @Nullable String value,
      String statement) {
    this.database = database;
    this.options = options;
    this.table = table;
    this.key = key;
    this.value = value;
    this.statement = statement;
  }

  /** Whether this is the URL of a database, or the path of an SQLite file. */
  public static boolean names(String data) {
    return Database.names(data);
  }

  /** A JDBC URL without its passwords; a path as it is. */
  public static String masked(String data) {
    return Database.masked(data);
  }

  /**
   * Looks at the table.
   *
   * @param data a JDBC URL, or the path of an SQLite file
   * @param table or {@code null} for the only one
   * @param value the column with the value, or {@code null} for all but the key
   * @param options the key may be {@code null}: then it is the primary key
   * @throws BadArgumentException if there is no driver, no such table or column; lists what there
   *     is
   */
  public static SqlDataset open(
      String data,
      @Nullable String table,
      @Nullable String value,
      DatasetOptions options,
      Engines engines) {
    Database database = Database.of(data, engines);
    try (Connection connection = database.connect(database.look())) {
      TableName found = TableName.find(connection, database.name(), table);
      DatabaseMetaData metaData = connection.getMetaData();
      String from = " FROM " + found.quoted(metaData);
      List<String> columns = columns(connection, from);
      String where = database.name() + ", table " + found;
      String key = options.key();
      String keyColumn =
          key == null ? primaryKey(connection, found, columns, where) : one(key, columns, where);
      String valueColumn = value == null ? null : one(value, columns, where);
      List<String> wanted = new ArrayList<>(List.of(keyColumn));
      if (valueColumn == null) {
        columns.stream().filter(each -> !each.equals(keyColumn)).forEach(wanted::add);
      } else {
        wanted.add(valueColumn);
      }
      List<String> quoted = new ArrayList<>();
      for (String each : wanted) {
        quoted.add(TableName.quoted(each, metaData));
      }
      String statement = "SELECT " + String.join(", ", quoted) + from;
      return new SqlDataset(database, options, found, keyColumn, valueColumn, statement);
    } catch (SQLException e) {
      throw database.failed("opening", e);
    }
  }

  private static List<String> columns(Connection connection, String from) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT *" + from + " WHERE 1 = 0")) {
      for (int k = 1; k <= none.getMetaData().getColumnCount(); k++) {
        columns.add(none.getMetaData().getColumnName(k));
      }
    }
    return columns;
  }

  private static String primaryKey(
      Connection connection, TableName table, List<String> columns, String where)
      throws SQLException {
    List<String> key = table.primaryKey(connection);
    if (key.size() != 1) {
      throw new BadArgumentException(
          where
              + (key.isEmpty()
                  ? " has no primary key"
                  : " has a primary key of " + key.size() + " columns")
              + ": which column is the key? Give one of "
              + RecordReader.shown(columns)
              + " as --key");
    }
    return key.getFirst();
  }

  private static String one(String asked, List<String> columns, String where) {
    if (columns.contains(asked)) {
      return asked;
    }
    return columns.stream()
        .filter(asked::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                where
                    + ": there is no column '"
                    + asked
                    + "'"
                    + Nearest.hint(asked, columns)
                    + "; there are "
                    + RecordReader.shown(columns)));
  }

  @Override
  public String source() {
    return database.name() + ", table " + table;
  }

  @Override
  public String format() {
    return database.kind();
  }

  @Override
  public DatasetOptions options() {
    return options;
  }

  @Override
  public Map<String, String> describe() {
    Map<String, String> words = new LinkedHashMap<>(Dataset.super.describe());
    words.put("key", "column " + key);
    words.put("value", value == null ? "all other columns, as JSON" : "column " + value);
    return words;
  }

  @Override
  public EntryIterator scan() {
    SqliteFile file = database.look();
    try {
      Connection connection = database.connect(file);
      try {
        Statement rows = database.streaming(connection);
        return new Rows(
            this::failed, source(), connection, rows.executeQuery(statement), file, options, value);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private BadArgumentException failed(SQLException e) {
    return database.failed("reading table " + table + " of", e);
  }
}
