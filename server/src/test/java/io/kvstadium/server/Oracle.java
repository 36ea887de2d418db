package io.kvstadium.server;

import io.kvstadium.testsupport.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Redis' own server, which defines what is right. Empty, in memory, ends with this process. */
final class Oracle implements AutoCloseable {
  private static final int ATTEMPTS = 5;

  private final Process process;
  private final Path directory;
  private final int port;

  private Oracle(Process process, Path directory, int port) {
    this.process = process;
    this.directory = directory;
    this.port = port;
  }

  /** Starts it on a free port; skips the test if it is not installed. */
  static Oracle start() {
    Needs.program("redis-server", "redis-server");
    try {
      Path directory = Files.createTempDirectory("stadium-oracle");
      for (int i = 0; i < ATTEMPTS; i++) {
        int port = freePort();
        Process process = process(directory, port);
        if (ready(process)) {
          // also if the tests are ended from outside
          Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
          return new Oracle(process, directory, port);
        }
        process.destroy(); // somebody else took the port meanwhile
      }
      throw new IllegalStateException("redis-server does not start");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Process process(Path directory, int port) throws IOException {
    return new ProcessBuilder(
            "redis-server",
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            directory.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static boolean ready(Process process) throws IOException {
    BufferedReader output = process.inputReader();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains("Ready to accept connections")) {
        Thread.ofVirtual().start(() -> drain(output));
        return true;
      }
    }
    return false;
  }

  private static void drain(BufferedReader output) {
    try {
      output.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // it has ended
    }
  }

  int port() {
    return port;
  }

  /** Where it saves; to be left empty. */
  Path directory() {
    return directory;
  }

  RespClient connect() {
    return RespClient.connect(port);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
      Files.delete(directory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
