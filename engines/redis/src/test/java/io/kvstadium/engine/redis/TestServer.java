package io.kvstadium.engine.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** The system's redis-server, on a free port of this machine. */
final class TestServer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");

  private final Path directory;
  private final List<String> command;
  private final int port;
  private Process process;
  private final ConcurrentMap<Path, Integer> databases = new ConcurrentHashMap<>();

  private TestServer(Path directory, List<String> command, int port) throws IOException {
    this.directory = directory;
    this.command = command;
    this.port = port;
    this.process = launch();
  }

  /** Why there is none on this machine, or {@code null} if there is one. */
  static @Nullable String unavailable() {
    return Files.isExecutable(PROGRAM) ? null : PROGRAM + " is missing: apt install redis-server";
  }

  /**
   * The shared server, which syncs each write. Starts when first asked for and ends with the JVM.
   */
  static TestServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final TestServer SERVER = start();

    private static TestServer start() {
      try {
        TestServer server =
            TestServer.start(
                "--appendonly yes --appendfsync always --databases 10000 --save".split(" "));
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts one with these settings; without any, with Redis' own except for the port. */
  static TestServer start(String... settings) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path directory = Files.createTempDirectory("redis-test");
    List<String> command = new ArrayList<>();
    command.add(PROGRAM.toString());
    command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--dir", "" + directory));
    command.addAll(List.of(settings));
    if (command.getLast().equals("--save")) {
      command.add(""); // no snapshots
    }
    return new TestServer(directory, command, port);
  }

  private Process launch() throws IOException {
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    while (started.isAlive()) {
      try (Connection connection = new Connection("127.0.0.1", port)) {
        connection.sendCommand(Command.PING);
        connection.getOne();
        return started;
      } catch (JedisConnectionException _) {
        Thread.onSpinWait(); // not yet
      } catch (JedisDataException e) {
        if (!String.valueOf(e.getMessage()).startsWith("LOADING")) {
          return started; // wants a password
        }
      }
    }
    throw new IOException("redis-server ended: " + Files.readString(directory.resolve("log")));
  }

  int port() {
    return port;
  }

  String url(int database) {
    return "redis://127.0.0.1:" + port + "/" + database;
  }

  /** The URL of a database that stands for a directory. */
  String url(Path place) {
    int database = databases.computeIfAbsent(place, _ -> databases.size() + 1);
    return url(database) + "?client_name=" + place.getFileName();
  }

  /** Sends a command to database 0. */
  @Nullable Object command(Command name, String... arguments) {
    try (Connection connection = new Connection("127.0.0.1", port)) {
      connection.sendCommand(name, arguments);
      return connection.getOne();
    }
  }

  /** As the kernel does when memory is short. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void restart() throws IOException {
    process = launch();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try (Stream<Path> files = Files.walk(directory)) {
      process.waitFor();
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
