package io.kvstadium.engine.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The system's PostgreSQL, on a free port of this machine. It does not run as root. */
final class TestServer implements AutoCloseable {
  private static final String USER = "nobody";

  private final Path directory;
  private final int port;
  private final Process process;

  private TestServer(Path directory, int port, Process process) {
    this.directory = directory;
    this.port = port;
    this.process = process;
  }

  /** Why there is none on this machine, or {@code null} if there is one. */
  static @Nullable String unavailable() {
    return programs() == null ? "needs postgres (Debian: postgresql)" : null;
  }

  private static @Nullable Path programs() {
    try (Stream<Path> versions =
        Files.isDirectory(Path.of("/usr/lib/postgresql"))
            ? Files.list(Path.of("/usr/lib/postgresql"))
            : Stream.empty()) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
          .max(Comparator.naturalOrder())
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts when first asked for and ends with the JVM. */
  static TestServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final TestServer SERVER = start();
  }

  private static TestServer start() {
    try {
      Path programs = programs();
      if (programs == null) {
        throw new IllegalStateException(unavailable());
      }
      Path directory = Files.createTempDirectory("postgres-test");
      boolean root = System.getProperty("user.name").equals("root");
      if (root) {
        run(List.of("chown", USER, directory.toString()));
      }
      Path data = directory.resolve("data");
      run(as(root, programs.resolve("initdb"), "-D", data, "-U", "stadium", "-A", "trust", "-N"));
      int port;
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = socket.getLocalPort();
      }
      // a shell that ends the server when this process has ended, however
      List<String> server =
          as(
              root,
              Path.of("/bin/sh"),
              "-c",
              "\"$0\" \"$@\" & pid=$!; read -r _; kill -QUIT $pid; wait $pid",
              programs.resolve("postgres"),
              "-D",
              data,
              "-p",
              port,
              "-k",
              directory,
              "-h",
              "127.0.0.1",
              "-c",
              "max_connections=200",
              "-c",
              "wal_writer_delay=10s"); // what is flushed was asked for
      Process process =
          new ProcessBuilder(server)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      TestServer started = new TestServer(directory, port, process);
      Runtime.getRuntime().addShutdownHook(new Thread(started::close));
      List<String> ready =
          as(root, programs.resolve("pg_isready"), "-q", "-h", "127.0.0.1", "-p", port);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (new ProcessBuilder(ready).start().waitFor() != 0) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException(Files.readString(directory.resolve("log")));
        }
      }
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> as(boolean root, Object... command) {
    List<String> words = new ArrayList<>();
    if (root) {
      words.addAll(List.of("setpriv", "--reuid=" + USER, "--clear-groups"));
    }
    for (Object word : command) {
      words.add(word.toString());
    }
    return words;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + said);
    }
  }

  /** The address of a store that belongs to a directory. */
  String url(Path directory) {
    String schema = "t" + Integer.toHexString(directory.toAbsolutePath().toString().hashCode());
    return "postgresql://stadium@127.0.0.1:" + port + "/postgres?schema=" + schema;
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
