package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain tables, by the commands that Redis lacks. */
class TablesTest {
  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void whatAnApplicationWroteIsServedAsItIs(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      server.store().table("orders").put(bytes("a"), bytes("1"));

      assertThat(client.reply("kv.get", "orders", "a").raw()).isEqualTo("$1\r\n1\r\n");
      assertThat(client.reply("kv.mset", "orders", "b", "2", "c", "3").raw()).isEqualTo("+OK\r\n");
      assertThat(client.reply("kv.mget", "orders", "c", "x").raw())
          .isEqualTo("*2\r\n$1\r\n3\r\n$-1\r\n");
      assertThat(server.store().table("orders").get(bytes("b"))).isEqualTo(bytes("2"));
      assertThat(words(client, "kv.range", "orders", "a", "c")).isEqualTo("a 1 b 2");
      assertThat(words(client, "kv.range", "orders", "", "", "rev", "limit", "2", "keysonly"))
          .isEqualTo("c b");
      assertThat(words(client, "kv.prefix", "orders", "b")).isEqualTo("b 2");
      assertThat(words(client, "kv.range", "nosuch", "", "")).isEmpty();
      assertThat(client.reply("kv.del", "orders", "a", "a", "x").raw()).isEqualTo(":1\r\n");
      assertThat(client.reply("kv.count", "orders").raw()).isEqualTo(":2\r\n");
      assertThat(words(client, "kv.tables")).contains("orders").doesNotContain("db0");
      assertThat(client.reply("kv.get", "db0", "a").raw()).startsWith("-ERR table 'db0' holds");
      assertThat(client.reply("kv.get", "no/name", "a").raw()).isEqualTo("$-1\r\n");
      assertThat(client.reply("kv.set", "no/name", "a", "b").raw()).startsWith("-ERR ");
      assertThat(client.reply("kv.drop", "orders").raw()).isEqualTo(":1\r\n");
      assertThat(client.reply("kv.get", "orders", "b").raw()).isEqualTo("$-1\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void aBlockSeesItsOwnWritesInOrder(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      client.reply("kv.mset", "t", "a", "1", "c", "3", "e", "5");
      client.reply("multi");
      client.reply("kv.set", "t", "b", "2");
      client.reply("kv.del", "t", "c");
      client.reply("kv.set", "t", "e", "6");
      client.reply("kv.range", "t", "", "");
      client.reply("kv.range", "t", "", "", "rev", "limit", "2");

      String exec = client.reply("exec").raw();

      assertThat(exec)
          .contains("*6\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\nb\r\n$1\r\n2\r\n$1\r\ne\r\n$1\r\n6");
      assertThat(exec).endsWith("*4\r\n$1\r\ne\r\n$1\r\n6\r\n$1\r\nb\r\n$1\r\n2\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void rawDatabasesAreTablesWithoutExpiry(String engine) {
    try (TestServer server = TestServer.start(engine, options -> options.raw(true));
        RespClient client = server.connect()) {
      server.store().table().put(bytes("a"), bytes("1"));

      assertThat(client.reply("get", "a").raw()).isEqualTo("$1\r\n1\r\n");
      assertThat(client.reply("incr", "a").raw()).isEqualTo(":2\r\n");
      assertThat(server.store().table().get(bytes("a"))).isEqualTo(bytes("2"));
      assertThat(client.reply("set", "a", "1", "ex", "10").raw()).startsWith("-ERR this server");
      assertThat(client.reply("expire", "a", "10").raw()).startsWith("-ERR this server");
      assertThat(client.reply("get", "a").raw()).isEqualTo("$1\r\n2\r\n");
      assertThat(client.reply("dbsize").raw()).isEqualTo(":1\r\n");
      assertThat(client.reply("keys", "*").raw()).isEqualTo("*1\r\n$1\r\na\r\n");
    }
  }

  /** A drop waits for readers, such as a long one of another table; those who write do not. */
  @ParameterizedTest
  @ValueSource(strings = {"memory:", "rocksdb:"})
  void whileATableIsDroppedOthersWrite(String engine) throws InterruptedException {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    CountDownLatch reading = new CountDownLatch(1);
    try (TestServer server = TestServer.start(engine);
        RespClient dropping = server.connect();
        RespClient client = server.connect()) {
      try {
        client.call("kv.set", "orders", "a", "1");
        client.call("kv.set", "others", "a", "1");
        CompletableFuture<Boolean> reader =
            CompletableFuture.supplyAsync(() ->
                server
                    .store()
                    .table("others")
                    .get(
                        bytes("a"),
                        value -> {
                          reading.countDown();
                          return end.join();
                        }));
        reading.await();

        dropping.send("kv.drop", "orders");
        while (client.call("kv.get", "orders", "a") != null) {
          Thread.onSpinWait(); // until it has begun
        }
        assertThat(client.call("set", "a", "1")).isEqualTo("OK");
        assertThat(client.reply("kv.set", "orders", "b", "2").raw()).startsWith("-ERR ");
        assertThat(client.call("kv.set", "new", "a", "1")).isEqualTo("OK");

        end.complete(true);
        assertThat(dropping.read().value()).isEqualTo(1L);
        assertThat(reader).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
        assertThat(client.call("kv.set", "orders", "b", "2")).isEqualTo("OK");
        assertThat(client.call("kv.count", "orders")).isEqualTo(1L);
      } finally {
        end.complete(true); // before the store is closed
      }
    }
  }

  private static String words(RespClient client, String... request) {
    return client
        .reply(request)
        .raw()
        .lines()
        .filter(line -> !line.startsWith("$") && !line.startsWith("*"))
        .collect(java.util.stream.Collectors.joining(" "));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
