package io.kvstadium.server;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A server over its own store, on a free port. */
final class TestServer implements AutoCloseable {
  private final Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private Store store;
  private Server server;
  private final String url;
  private final ServerOptions options;

  /** Starts a server over a store in memory. */
  static TestServer start() {
    return start("memory:");
  }

  /**
   * Starts a server over a store in a new directory.
   *
   * @param engine such as {@code lmdb:}, or with options {@code lmdb:?durability=power}
   */
  static TestServer start(String engine) {
    return start(engine, UnaryOperator.identity());
  }

  /** Starts a server with changed options. */
  static TestServer start(String engine, UnaryOperator<ServerOptions> options) {
    return new TestServer(engine, options.apply(ServerOptions.DEFAULT.redisPort(0).httpPort(-1)));
  }

  private TestServer(String engine, ServerOptions options) {
    try {
      directory = Files.createTempDirectory("stadium-serve");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    this.options = options;
    int end = engine.indexOf(':') + 1;
    url =
        engine.startsWith("memory:")
            ? engine
            : engine.substring(0, end) + directory.resolve("store") + engine.substring(end);
    store = Stadium.open(url);
    try {
      server = Server.start(store, options, log::add);
    } catch (RuntimeException e) { // as some tests want
      store.close();
      removeFiles();
      throw e;
    }
  }

  /** Ends the server, closes the store, and serves it again on another port. */
  void restart() {
    server.close();
    store.close();
    store = Stadium.open(url);
    server = Server.start(store, options, log::add);
  }

  int port() {
    return server.redisPort();
  }

  Server server() {
    return server;
  }

  Store store() {
    return store;
  }

  /** The lines that the operator got. */
  List<String> log() {
    return log;
  }

  RespClient connect() {
    return RespClient.connect(port());
  }

  @Override
  public void close() {
    server.close();
    store.close();
    removeFiles();
  }

  private void removeFiles() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
