package io.kvstadium.engine.rocksserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.declare.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocksServerStoreTest {
  private static final byte[] KEY = bytes("key");

  private Served server;

  @BeforeEach
  void start() {
    server = new Served();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Store open(String options) {
    return Stadium.open(server.url() + "?durability=none" + options);
  }

  @Test
  void addressesThatAreNoneAreRefused() {
    for (String url : List.of("dir", "//", "//h/path", "//me@h")) {
      assertThatThrownBy(() -> Stadium.open("rocksserver:" + url + "?durability=none"))
          .as(url)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("rocksserver://host:port");
    }
  }

  @Test
  void postThatIsNotAnsweredMayHaveBeenDone() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(() -> {
            try (Socket accepted = silent.accept()) {
              accepted.getInputStream().read();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      Address address =
          new Address("127.0.0.1", silent.getLocalPort(), false, true, Duration.ofSeconds(30));

      try (Http http = new Http(address)) {
        assertThatThrownBy(() -> http.post("/set", KEY))
            .satisfies(e ->
                assertThat(Objects.requireNonNull(RocksServerEngine.meaning(e)).kind())
                    .isEqualTo(Failure.Kind.UNKNOWN_OUTCOME));
      }
    }
  }

  @Test
  void levelsOfDurabilityAreRefused() {
    assertThatThrownBy(() -> Stadium.open(server.url() + "?durability=process"))
        .isInstanceOf(UnsupportedException.class);
    try (Store store = open("")) {
      assertThatThrownBy(store::sync)
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("rocksserver");
      store.table().put(KEY, KEY); // which goes on
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a&b", "a b", "a?b", "a#b", "a\nb", "a\rb", "a\0b", "a%b", "schlüssel"})
  void keysThatTheProtocolCannotCarryAreRefusedUnlessEncoded(String text) {
    byte[] key = bytes(text);
    try (Store store = open("")) {
      Table<byte[], byte[]> table = store.table();
      assertThatThrownBy(() -> table.put(key, KEY))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("keys=hex");
      assertThatThrownBy(() -> table.get(key)).isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> table.multiGet(List.of(KEY, key)))
          .isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(() -> store.write(batch -> batch.put(table, key, KEY)))
          .isInstanceOf(BadArgumentException.class);
    }
    assertThat(server.keys()).containsExactly("kv-stadium:store");
    try (Store store = open("&keys=hex")) {
      store.table().put(key, KEY);
      assertThat(store.table().get(key)).isEqualTo(KEY);
      assertThat(store.table().count()).isEqualTo(1);
    }
  }

  @Test
  void otherClientsSeeRawKeysAsTheyAre() {
    try (Store store = open("")) {
      store.write(batch -> {
        for (String key : List.of("a+b", "b", "~")) {
          batch.put(store.table(), bytes(key), bytes("1"));
        }
      });

      assertThat(server.keys()).containsExactly("a+b", "b", "kv-stadium:store", "~");
      assertThat(keys(store.table(), Range.all())).containsExactly("a+b", "b", "~");
      assertThat(store.table().get(bytes("a+b"))).isEqualTo(bytes("1"));
      server.put("10% of schlüssel", "1");
      assertThat(keys(store.table(), Range.all()))
          .containsExactly("10% of schlüssel", "a+b", "b", "~");
    }
  }

  private static List<String> keys(Table<byte[], byte[]> table, Range<byte[]> range) {
    List<String> keys = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), StandardCharsets.UTF_8));
      }
    }
    return keys;
  }

  @Test
  void serverWithKeysOfOthersIsRefusedUnlessShared() {
    server.put("theirs", "1");

    for (String keys : List.of("", "&keys=hex")) {
      assertThatThrownBy(() -> open(keys))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("shared=true");
    }
    assertThatThrownBy(() -> Stadium.destroy(server.url() + "?durability=none"))
        .isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> Stadium.destroy(server.url() + "?shared=true&durability=none"))
        .isInstanceOf(BadArgumentException.class);
    try (Store store = open("&shared=true")) {
      assertThat(store.table().get(bytes("theirs"))).isEqualTo(bytes("1"));
      store.table().put(KEY, KEY);
    }
    assertThat(server.keys()).containsExactly("key", "theirs");
  }

  @Test
  void destroyLeavesNothing() {
    try (Store store = open("&keys=hex")) {
      store.write(batch -> {
        for (int i = 0; i < 12_000; i++) {
          batch.put(store.table(), bytes("k" + i), KEY);
        }
      });
    }
    Stadium.destroy(server.url() + "?keys=hex&durability=none");

    assertThat(server.keys()).isEmpty();
  }

  @Test
  void requestForManyKeysIsCutIntoLines() {
    try (Store store = open("")) {
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        keys.add(bytes("key" + i));
        if (i % 3 != 0) {
          store.table().put(keys.get(i), bytes("" + i));
        }
      }

      List<byte[]> values = store.table().multiGet(keys);

      for (int i = 0; i < 5_000; i++) {
        assertThat(values.get(i)).isEqualTo(i % 3 == 0 ? null : bytes("" + i));
      }
    }
  }

  @Test
  void lastWriteOfAKeyInABatchDecides() {
    try (Store store = open("")) {
      Table<byte[], byte[]> table = store.table();
      store.write(batch -> {
        batch.put(table, bytes("a"), bytes("1"));
        batch.delete(table, bytes("a"));
        batch.delete(table, bytes("b"));
        batch.put(table, bytes("b"), bytes("2"));
      });

      assertThat(table.get(bytes("a"))).isNull();
      assertThat(table.get(bytes("b"))).isEqualTo(bytes("2"));
    }
  }

  @Test
  void refusedCallIsSaidAndTheStoreGoesOn() {
    try (Store store = open("")) {
      server.fail();

      assertThatThrownBy(() -> store.table().put(KEY, KEY))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("FAIL");
      assertThatThrownBy(() -> store.table().get(KEY))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("FAIL");
    }
  }

  @Test
  void serverThatWentAwayIsSaid() {
    try (Store store = open("")) {
      server.close();

      assertThatThrownBy(() -> store.table().get(KEY))
          .isInstanceOf(StoreIoException.class)
          .hasMessageContaining("does not answer");
    }
    assertThatThrownBy(() -> open("")).isInstanceOf(StoreIoException.class);
    assertThatThrownBy(() -> Stadium.open("rocksserver://no-such-host.invalid?durability=none"))
        .isInstanceOf(StoreIoException.class)
        .hasMessageContaining("unknown host");
  }
}
