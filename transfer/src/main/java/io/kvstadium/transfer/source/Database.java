package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** A database that is only read. Each connection must be closed. */
final class Database {
  private static final String SQLITE = "jdbc:sqlite:";
  private static final int ROWS_AT_A_TIME = 1_000;

  /** SQLite's flags for a connection that only reads, to a file that a URI names. */
  private static final int READ_ONLY_URI = 0x41;

  private final String url;
  private final @Nullable Path file;
  private final Driver driver;
  private final String name;

  private Database(String url, @Nullable Path file, Driver driver, String name) {
    this.url = url;
    this.file = file;
    this.driver = driver;
    this.name = name;
  }

  /**
   * Finds the driver; opens nothing.
   *
   * @param data a JDBC URL, or the path of an SQLite file
   */
  static Database of(String data, Engines engines) {
    if (data.startsWith("jdbc:") && data.split(":", 3).length < 3) {
      throw new BadArgumentException(
          data + " is not a JDBC URL: write jdbc:KIND:…, such as jdbc:h2:./app");
    }
    Path file = file(data);
    String url = file == null ? readOnly(data) : SQLITE + file;
    return new Database(
        url,
        file,
        Drivers.of(url, engines),
        file == null ? Passwords.masked(data) : file.toString());
  }

  /**
   * Returns the SQLite file that is meant, or {@code null} if it is not one or is named by a URI.
   */
  private static @Nullable Path file(String data) {
    String path = data.startsWith(SQLITE) ? data.substring(SQLITE.length()) : data;
    boolean uri = path.contains("?") || path.startsWith("file:") || path.startsWith(":");
    boolean other = path.startsWith("jdbc:") || (data.startsWith(SQLITE) && uri);
    return other ? null : Path.of(path).toAbsolutePath();
  }

  /** Without this, H2 would create a missing database and hold results in memory. */
  private static String readOnly(String url) {
    if (!url.startsWith("jdbc:h2:")) {
      return url;
    }
    String place = url.substring("jdbc:h2:".length()).toLowerCase(Locale.ROOT);
    boolean elsewhere =
        place.startsWith("tcp:") || place.startsWith("ssl:") || place.startsWith("mem:");
    String given = url.toUpperCase(Locale.ROOT);
    return url
        + (given.contains(";IFEXISTS=") ? "" : ";IFEXISTS=TRUE")
        + (elsewhere || given.contains(";ACCESS_MODE_DATA=") ? "" : ";ACCESS_MODE_DATA=r")
        + (given.contains(";LAZY_QUERY_EXECUTION=") ? "" : ";LAZY_QUERY_EXECUTION=TRUE");
  }

  /** The file or URL, for messages. */
  String name() {
    return name;
  }

  /** Such as {@code sqlite}. */
  String kind() {
    return Drivers.kind(url);
  }

  /** Looks at the file before a connection reads it; {@code null} if there is no file. */
  @Nullable SqliteFile look() {
    return file == null ? null : SqliteFile.look(file);
  }

  /** Opens a connection that only reads. */
  Connection connect(@Nullable SqliteFile sqlite) throws SQLException {
    Properties properties = new Properties();
    if (kind().equals("sqlite")) {
      properties.setProperty("open_mode", Integer.toString(READ_ONLY_URI));
    }
    if (kind().equals("mysql")) {
      properties.setProperty("tinyInt1isBit", "false"); // otherwise 2 and 3 are the same truth
    }
    Connection connection = driver.connect(sqlite == null ? url : sqlite.url(), properties);
    if (connection == null) {
      throw new SQLException("its driver does not accept the URL");
    }
    try {
      if (!kind().equals("sqlite")) {
        connection.setReadOnly(true);
        connection.setAutoCommit(false); // otherwise some drivers read all before the first row
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Returns a statement that streams its rows. */
  Statement streaming(Connection connection) throws SQLException {
    Statement statement = connection.createStatement();
    // MySQL's driver takes nothing else as a request to stream
    statement.setFetchSize(kind().equals("mysql") ? Integer.MIN_VALUE : ROWS_AT_A_TIME);
    return statement;
  }

  BadArgumentException failed(String what, SQLException e) {
    String message =
        Passwords.without(String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " "));
    String advice =
        message.contains("BUSY") || message.toLowerCase(Locale.ROOT).contains("lock")
            ? "close what has it open, or wait until that is done"
            : kind().equals("sqlite")
                ? "try sqlite3 with 'PRAGMA integrity_check'"
                : "check the URL, the user's rights, and that it runs";
    return new BadArgumentException(what + " " + name + " failed (" + message + "): " + advice, e);
  }
}
