package io.kvstadium.engine.sqlite;

import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConnection;

/**
 * The database file, and how connections to it are made. Immutable.
 *
 * @param file the database
 * @param settings what SQLite is told
 * @param readOnly whether connections may not write
 * @param adopted whether another program made it, so that it keeps its settings
 * @param logged whether there was a log of WAL mode before, which somebody then uses or left behind
 */
record Database(Path file, Settings settings, boolean readOnly, boolean adopted, boolean logged) {
  static final String FILE = "store.sqlite";

  /** Where the header of a database file has the write version, and the value that is WAL mode. */
  private static final int WRITE_VERSION = 18;

  private static final int WAL = 2;

  private static final String READ_ONLY_FLAG = "1"; // SQLITE_OPEN_READONLY
  private static final String READ_WRITE_FLAG = "2";
  private static final String READ_WRITE_CREATE_FLAGS = "6";

  static Path fileIn(Path directory) {
    return directory.resolve(FILE);
  }

  static Database of(StoreConfig config) {
    Path file = config.adopt() ? config.directory() : fileIn(config.directory());
    return new Database(
        file.toAbsolutePath(),
        Settings.of(config),
        config.readOnly(),
        config.adopt(),
        Files.exists(Path.of(file + "-wal")));
  }

  /**
   * Removes the empty log that reading in WAL mode made: the last connection that may write does so
   * as it closes, if nobody else has the database open.
   */
  void removeOwnLog() {
    if (readOnly && settings.wal() && !logged) {
      try {
        Properties writing = properties();
        writing.setProperty("open_mode", READ_WRITE_FLAG);
        try (SQLiteConnection connection = JDBC.createConnection(url(), writing)) {
          query(connection, "SELECT count(*) FROM sqlite_schema");
        }
      } catch (SQLException e) {
        // it may not be written to, or somebody writes: then the log stays, as SQLite leaves it
      }
    }
  }

  /** Whether an existing file is in WAL mode, which stays with the file. */
  static boolean isWal(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(WRITE_VERSION + 1);
      return head.length > WRITE_VERSION && head[WRITE_VERSION] == WAL;
    } catch (IOException e) {
      throw new StoreIoException("sqlite: cannot read " + file + ": " + e, e);
    }
  }

  /** Opens a store's first connection: makes the file if needed and settles its journal mode. */
  SQLiteConnection openFirst() throws SQLException {
    return open(readOnly ? List.of() : settings.filePragmas());
  }

  /** Opens a further connection. */
  SQLiteConnection openAnother() throws SQLException {
    return open(List.of());
  }

  private SQLiteConnection open(List<String> filePragmas) throws SQLException {
    SQLiteConnection connection = JDBC.createConnection(url(), properties());
    try {
      for (String pragma : settings.connectionPragmas()) {
        pragma(connection, pragma);
      }
      for (String pragma : filePragmas) {
        pragma(connection, pragma);
      }
      // reads the file's header: a file that is not a database is noticed now
      query(connection, "SELECT count(*) FROM sqlite_schema");
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** A pragma may answer with a row or without. */
  private static void pragma(Connection connection, String pragma) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA " + pragma);
    }
  }

  /** Returns the first column of the first row as text; empty if there is no row or it is null. */
  static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      String value = result.next() ? result.getString(1) : null;
      return value == null ? "" : value;
    }
  }

  /** As a URI, so that SQLite takes every character of the path literally. */
  private String url() {
    return JDBC.PREFIX + file.toUri();
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("open_mode", readOnly ? READ_ONLY_FLAG : READ_WRITE_CREATE_FLAGS);
    properties.setProperty("busy_timeout", Integer.toString(settings.busyTimeoutMillis()));
    properties.setProperty("jdbc.get_generated_keys", "false");
    return properties;
  }
}
