package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A server as people run it, on a port of this machine. */
record TestServer(PrivateServer server, int port) {
  /** Why there is none on this machine, or {@code null} if there is one. */
  static @Nullable String unavailable() {
    return Postgres.missing();
  }

  /** Starts when first asked for and ends with the JVM. */
  static TestServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final TestServer SERVER = start();

    private static TestServer start() {
      try {
        Path directory = Files.createTempDirectory("postgres-test");
        Postgres program = Postgres.of(Postgres.programFor(directory, ""));
        PrivateServer server =
            PrivateServer.start(
                directory,
                program,
                "-cmax_connections=200",
                "-cwal_writer_delay=10s"); // what is flushed was asked for
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, directory)));
        return new TestServer(server, program.port());
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void end(PrivateServer server, Path directory) {
      try {
        server.close();
        FileTrees.remove(directory);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Ends those of stores. */
  void endConnections() throws SQLException, IOException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
              + " WHERE application_name = 'kv-stadium'");
    }
  }

  Connection connect() throws SQLException, IOException {
    return DriverManager.getConnection(
        "jdbc:" + address().replaceFirst("stadium@", ""), Postgres.USER, password());
  }

  String password() throws IOException {
    return Postgres.password(server);
  }

  /** The address of a store that belongs to a directory. */
  String url(Path directory) {
    return address()
        + "?schema=t"
        + Integer.toHexString(directory.toAbsolutePath().toString().hashCode())
        + "&password_file="
        + server.data().resolveSibling("server.password");
  }

  /** The address of its database, without options. */
  String address() {
    return "postgresql://" + Postgres.USER + "@127.0.0.1:" + port + "/postgres";
  }
}
