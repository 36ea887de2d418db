package io.kvstadium.server.http;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.access.Users;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Wire;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store served over HTTP, on a free port. */
final class Served implements AutoCloseable {
  static final String ENTRIES = "/v1/tables/default/entries";

  /** Who may do everything. */
  static final Users.Known ALL =
      new Users.Known() {
        @Override
        public boolean allows(String command, @Nullable String table) {
          return true;
        }

        @Override
        public boolean readsAll() {
          return true;
        }
      };

  final Store store;
  final Server server;
  final List<String> log = new CopyOnWriteArrayList<>();

  Served(String url) {
    this(url, ServerOptions.DEFAULT.redisPort(-1).httpPort(0));
  }

  Served(String url, ServerOptions options) {
    store = Stadium.open(url);
    try {
      server = Server.start(store, options, log::add);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The engines with which HTTP is tested. */
  static Stream<String> engines(Path directory) {
    return Stream.of("memory:", "lmdb:" + directory.resolve("store"));
  }

  int port() {
    return server.httpPort();
  }

  Wire wire() {
    return new Wire(port());
  }

  /** The body of the answer to a request on a separate connection. */
  String get(String target) {
    try (Wire wire = wire()) {
      return wire.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").next().body();
    }
  }

  /** A request that sets an entry. */
  static String put(String key, String value) {
    return "PUT "
        + ENTRIES
        + "/"
        + key
        + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
        + value.length()
        + "\r\n\r\n"
        + value;
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
