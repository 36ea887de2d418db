package io.kvstadium.server.rocksserver;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Wire;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A store served over HTTP with RocksServer's protocol, on a free port. */
final class Served implements AutoCloseable {
  final Store store;
  final Server server;
  final List<String> log = new CopyOnWriteArrayList<>();

  Served(String url) {
    this(url, ServerOptions.DEFAULT.redisPort(-1).httpPort(0));
  }

  Served(String url, ServerOptions options) {
    store = Stadium.open(url);
    try {
      server = Server.start(store, options.httpProtocol("rocksserver"), log::add);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The engines with which the protocols are tested. */
  static Stream<String> engines(Path directory) {
    return Stream.of("memory:", "lmdb:" + directory.resolve("store"));
  }

  int port() {
    return server.httpPort();
  }

  Wire wire() {
    return new Wire(port());
  }

  /** The answer to a request on a separate connection, as an old client sends it. */
  String get(String target) {
    return once("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n");
  }

  /** The answer to a POST on a separate connection. */
  String post(String target, String body) {
    return once(
        "POST "
            + target
            + " HTTP/1.1\r\nHost: a\r\nConnection: Close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private String once(String request) {
    try (Wire wire = wire()) {
      Wire.Response response = wire.send(request).next();
      boolean asItShould =
          response.status() == 200
              && response.has("content-length")
              && !response.has("transfer-encoding")
              && wire.ends();
      if (!asItShould) {
        throw new AssertionError("answered by " + response);
      }
      return response.body();
    }
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
