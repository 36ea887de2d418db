package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
  /** A key that is due and whose value is not in the server's form. */
  @Test
  void aDamagedEntryIsToldOfAndFailsNobodysWrites() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("set", "a", "1".repeat(5_000), "px", "1500"); // more than is kept in memory
      server.store().table("db0").put("ka".getBytes(StandardCharsets.US_ASCII), new byte[] {7});

      while (server.log().isEmpty()) {
        assertThat(client.call("incr", "n")).isInstanceOf(Long.class);
      }

      assertThat(server.log()).first().asString().contains("not in the form of this server's");
      assertThat(client.call("set", "b", "1")).isEqualTo("OK");
      assertThat(client.call("get", "a").toString()).startsWith("-ERR a value is not in the form");
    }
  }

  /** Small ones one by one, large ones by ranges; what has the neighbouring numbers stays. */
  @ParameterizedTest
  @ValueSource(strings = {"memory:", "rocksdb:"})
  void nothingIsLeftOfRemovedCollections(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      client.call("hset", "before", "f", "v");
      for (int i = 0; i < 3_000; i++) {
        client.call("hset", "large", "f" + i, "v");
      }
      client.call("sadd", "small", "a", "b");
      client.call("hset", "after", "f", "v");

      client.call("del", "large", "small");

      Table<byte[], byte[]> table = server.store().table("db0");
      Range<byte[]> elements = Range.prefix(new byte[] {'e'});
      while (table.first(Range.prefix(new byte[] {'g'})) != null) {
        assertThat(client.call("incr", "n")).isInstanceOf(Long.class);
      }
      assertThat(count(table.scan(elements))).isEqualTo(2);
      assertThat(client.call("hgetall", "before")).isEqualTo(List.of("f", "v"));
      assertThat(client.call("hgetall", "after")).isEqualTo(List.of("f", "v"));
    }
  }

  private static int count(Cursor<byte[], byte[]> cursor) {
    int count = 0;
    try (cursor) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
