package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server as seen by the engine that speaks its protocol. */
class EnginesOverTheWireTest {
  private static final int MANY = 5_000;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) (i >> 8), (byte) i, '&', '\n'};
  }

  private static String url(TestServer server) {
    return "redis://127.0.0.1:" + server.server().redisPort() + "/1?durability=none";
  }

  @Test
  void whatIsWrittenIsReadByKeyManyAtOnceAndInScans() {
    try (TestServer server = TestServer.start()) {
      try (Store store = Stadium.open(url(server))) {
        Table<byte[], byte[]> table = store.table();
        store.write(batch -> {
          for (int i = 0; i < MANY; i++) {
            batch.put(table, key(i), bytes("" + i));
          }
        });
        store.write(batch -> {
          batch.delete(table, key(0));
          batch.put(table, key(1), new byte[0]);
        });
        table.delete(key(2));
        table.put(key(3), bytes("three"));

        List<byte[]> values = table.multiGet(List.of(key(0), key(1), key(2), key(3), key(4)));
        assertThat(values).containsExactly(null, new byte[0], null, bytes("three"), bytes("4"));
        assertThat(table.get(key(4_999))).isEqualTo(bytes("4999"));
        assertThat(table.count()).isEqualTo(MANY - 2);
        assertThat(keys(table, Range.all()))
            .hasSize(MANY - 2)
            .contains(text(key(1)), text(key(4_999)));
      }

      Stadium.destroy(url(server));

      try (Store store = Stadium.open(url(server))) {
        assertThat(store.table().count()).isZero();
      }
    }
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }

  private static List<String> keys(Table<byte[], byte[]> table, Range<byte[]> range) {
    List<String> keys = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        keys.add(text(cursor.key()));
      }
    }
    return keys;
  }

  @Test
  void levelIsThatOfTheStoreThatIsServed(@TempDir Path directory) {
    try (TestServer server =
        TestServer.start("lmdb:" + directory.resolve("store"), options -> options)) {
      String url = "redis://127.0.0.1:" + server.server().redisPort() + "/1?durability=";

      for (String level : List.of("none", "process", "consistent")) {
        try (Store store = Stadium.open(url + level)) {
          store.sync();
          assertThat(store.durability()).isEqualTo(Durability.of(level));
        }
      }
      assertThatThrownBy(() -> Stadium.open(url + "power"))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("durability consistent");
    }
  }
}
