package io.kvstadium.engine.rocksserver;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A server that speaks the protocol, over a store in memory. */
final class Served implements AutoCloseable {
  private final Store store = Stadium.open("memory:");
  private final Server server =
      Server.start(
          store,
          ServerOptions.DEFAULT.redisPort(-1).httpPort(0).httpProtocol("rocksserver"),
          _ -> {});

  String url() {
    return "rocksserver://127.0.0.1:" + server.httpPort();
  }

  /** What other clients would see. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    try (Cursor<byte[], byte[]> all = store.table().scan(Range.all())) {
      while (all.next()) {
        keys.add(new String(all.key(), StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  void put(String key, String value) {
    store.table().put(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
  }

  /** From now on each answer is FAIL. */
  void fail() {
    store.close();
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
