package io.kvstadium.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Protocol.Command;

class RedisStoreTest {
  private static final byte[] KEY = {1};

  @BeforeEach
  void needsTheProgram() {
    String reason = TestServer.unavailable();
    Assumptions.assumeTrue(reason == null, "needs: " + reason);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void addressesThatAreNoneAreRefused() {
    for (String url : List.of("redis:", "redis:dir", "redis://", "redis://h/a", "redis://h/1/2")) {
      assertThatThrownBy(() -> Stadium.open(url))
          .as(url)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("redis://user@host:port/number");
    }
    assertThatThrownBy(() -> Stadium.open("redis://u:hidden@localhost"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("password_file")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void serverThatIsNotThereIsSaid() throws Exception {
    TestServer server = TestServer.start();
    server.close();

    assertThatThrownBy(() -> Stadium.open(server.url(0) + "?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("does not answer")
        .hasMessageContaining("" + server.port());
    assertThatThrownBy(() -> Stadium.open("redis://no-such-host.invalid?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("unknown host");
  }

  @Test
  void databaseOfOthersIsRefusedUnlessShared() throws Exception {
    try (TestServer server = TestServer.start()) {
      server.command(Command.SET, "theirs", "1");
      server.command(Command.RPUSH, "list", "1");
      String url = server.url(0) + "?durability=none";

      assertThatThrownBy(() -> Stadium.open(url))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("shared=true");
      assertThatThrownBy(() -> Stadium.destroy(url)).isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> Stadium.destroy(url + "&shared=true"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("by hand");
      try (Store store = Stadium.open(url + "&shared=true")) {
        Table<byte[], byte[]> table = store.table();
        assertThat(table.get(bytes("theirs"))).isEqualTo(bytes("1"));
        assertThat(table.count()).isEqualTo(1);
        table.put(bytes("ours"), KEY);
        table.clear();
        assertThat(table.count()).isZero();
        assertThatThrownBy(() -> table.get(bytes("list")))
            .isInstanceOf(BadArgumentException.class)
            .hasMessageContaining("not a string");
      }

      assertThat(server.command(Command.EXISTS, "list")).isEqualTo(1L);
      assertThat(server.command(Command.DBSIZE)).isEqualTo(1L);
    }
  }

  @Test
  void markIsNoEntry() {
    byte[] mark = bytes("kv-stadium:store");
    try (Store store = Stadium.open(TestServer.shared().url(9_000))) {
      Table<byte[], byte[]> table = store.table();

      assertThat(table.contains(mark)).isFalse();
      assertThat(table.get(mark)).isNull();
      assertThat(table.multiGet(List.of(mark))).containsOnlyNulls();
      assertThat(table.count()).isZero();
      assertThatThrownBy(() -> table.put(mark, KEY)).isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> table.delete(mark)).isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> store.write(batch -> batch.put(table, mark, KEY)))
          .isInstanceOf(BadArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', none",
    "--appendonly yes --appendfsync everysec, none",
    "--appendonly yes --appendfsync no, process",
    "--appendonly yes --appendfsync always --no-appendfsync-on-rewrite yes, process",
    "--appendonly yes --appendfsync always, power",
    "--appendonly yes --appendfsync always --maxmemory 100mb --maxmemory-policy allkeys-lru, none"
  })
  void levelThatTheServerDoesNotGiveIsRefused(String settings, String most) throws Exception {
    try (TestServer server =
        settings.isEmpty() ? TestServer.start() : TestServer.start(settings.split(" "))) {
      for (Durability level : Durability.values()) {
        String url = server.url(0) + "?durability=" + level.word();
        if (level == Durability.ENGINE_DEFAULT || level.compareTo(Durability.of(most)) <= 0) {
          try (Store store = Stadium.open(url)) {
            assertThat(store.durability()).isEqualTo(level);
          }
        } else {
          assertThatThrownBy(() -> Stadium.open(url))
              .isInstanceOf(UnsupportedException.class)
              .hasMessageContaining("cannot give durability " + level.word())
              .hasMessageContaining("appendonly");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"no, process", "always, power"})
  void nothingAcknowledgedIsLostWhenTheServerIsKilled(String fsync, String level) throws Exception {
    try (TestServer server = TestServer.start("--appendonly", "yes", "--appendfsync", fsync)) {
      String url = server.url(0) + "?durability=" + level;
      try (Store store = Stadium.open(url)) {
        for (int i = 0; i < 200; i++) {
          store.table().put(bytes("k" + i), KEY);
        }
        server.kill();
        server.restart();
      }
      try (Store store = Stadium.open(url)) {
        assertThat(store.table().count()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"--save 3600 1000000", "--appendonly yes --appendfsync everysec"})
  void whatWasSyncedOutlivesTheServer(String settings) throws Exception {
    try (TestServer server = TestServer.start(settings.split(" "))) {
      String url = server.url(0) + "?durability=none";
      try (Store store = Stadium.open(url)) {
        store.table().put(bytes("a"), KEY);
        store.sync();
        server.kill();
        server.restart();
      }
      try (Store store = Stadium.open(url)) {
        assertThat(store.table().contains(bytes("a"))).isTrue();
      }
    }
  }

  @Test
  void passwordIsTakenFromItsFile(@TempDir Path directory) throws Exception {
    Path right = Files.writeString(directory.resolve("right"), "se cret\n");
    Path wrong = Files.writeString(directory.resolve("wrong"), "wrong\n");
    try (TestServer server = TestServer.start("--requirepass", "se cret")) {
      String url = server.url(0) + "?durability=none&password_file=";

      assertThatThrownBy(() -> Stadium.open(url + wrong))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("password");
      assertThatThrownBy(() -> Stadium.open(url + directory.resolve("none")))
          .isInstanceOf(StoreIoException.class);
      try (Store store = Stadium.open(url + right)) {
        store.table().put(KEY, KEY);
      }
    }
  }

  @Test
  void numberThatIsNoDatabaseIsRefused() throws Exception {
    try (TestServer server = TestServer.start()) {
      assertThatThrownBy(() -> Stadium.open(server.url(16) + "?durability=none"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("no such database");
    }
  }

  @Test
  void fullServerRefusesWritesAndGoesOnReading() throws Exception {
    try (TestServer server = TestServer.start();
        Store store = Stadium.open(server.url(0) + "?durability=none")) {
      store.table().put(KEY, KEY);
      server.command(Command.CONFIG, "SET", "maxmemory", "1");

      assertThatThrownBy(() -> store.table().put(bytes("b"), KEY))
          .isInstanceOf(FullException.class)
          .hasMessageContaining("maxmemory");
      assertThatThrownBy(() ->
              store.write(batch -> {
                batch.delete(store.table(), KEY);
                batch.put(store.table(), bytes("b"), KEY);
              }))
          .isInstanceOf(FullException.class);
      assertThat(store.table().get(KEY)).isEqualTo(KEY);
      server.command(Command.CONFIG, "SET", "maxmemory", "0");
      store.table().put(bytes("b"), KEY);
    }
  }

  /** Redis returns keys twice when its table shrinks during a scan. */
  @Test
  void whatIsThereAllTheTimeComesOnceThoughTheTableShrinks() {
    try (Store store = Stadium.open(TestServer.shared().url(9_001))) {
      Table<byte[], byte[]> table = store.table();
      store.write(batch -> {
        for (int i = 0; i < 40_000; i++) {
          batch.put(table, bytes("k" + i), KEY);
        }
      });
      List<String> seen = new ArrayList<>();
      try (Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
        while (cursor.next()) {
          seen.add(new String(cursor.key(), StandardCharsets.UTF_8));
          if (seen.size() == 20_000) {
            store.write(batch -> {
              for (int i = 1_000; i < 40_000; i++) {
                batch.delete(table, bytes("k" + i));
              }
            });
            for (int i = 0; i < 1_000; i++) { // each lookup moves a bit of the table
              table.contains(bytes("k" + i));
            }
          }
        }
      }

      assertThat(seen).doesNotHaveDuplicates();
      assertThat(new HashSet<>(seen)).contains("k0", "k1", "k500", "k999");
    }
  }

  @Test
  void requestForManyKeysIsCutIntoCommands() {
    try (Store store = Stadium.open(TestServer.shared().url(9_002))) {
      Table<byte[], byte[]> table = store.table();
      List<byte[]> keys = new ArrayList<>();
      store.write(batch -> {
        for (int i = 0; i < 25_001; i++) {
          keys.add(bytes("k" + i));
          batch.put(table, keys.getLast(), bytes("v" + i));
        }
      });

      List<byte[]> values = table.multiGet(keys);

      assertThat(values).hasSize(25_001).doesNotContainNull();
      assertThat(values.getLast()).isEqualTo(bytes("v25000"));
    }
  }
}
