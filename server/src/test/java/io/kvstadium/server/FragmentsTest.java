package io.kvstadium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long strings, which are stored in fragments. That replies are Redis' is RandomCommandsTest's. */
class FragmentsTest {
  private static final byte[] VERSION = {'m', 'v'};

  /** Without what describes the database. */
  private static long bytes(TestServer server) {
    long bytes = 0;
    try (Cursor<byte[], byte[]> all = server.store().table("db0").scan(Range.all())) {
      while (all.next()) {
        bytes += all.key()[0] == 'm' ? 0 : all.key().length + all.value().length;
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void theLastBitThereCanBeTakesOneFragmentAndNothingOnceItIsRemoved(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      client.call("incr", "n");
      long before = bytes(server);

      assertThat(client.call("setbit", "far", "4294967295", "1")).isEqualTo(0L);

      assertThat(bytes(server) - before).isLessThan(10_000);
      assertThat(client.call("strlen", "far")).isEqualTo(512L << 20);
      assertThat(client.call("bitcount", "far")).isEqualTo(1L);
      assertThat(client.call("bitpos", "far", "1")).isEqualTo(4294967295L);
      assertThat(client.call("getbit", "far", "4294967295")).isEqualTo(1L);
      assertThat(client.call("getrange", "far", "-2", "-1")).isEqualTo("\0\1");
      assertThat(client.call("rename", "far", "away")).isEqualTo("OK");
      assertThat(client.call("expire", "away", "1000")).isEqualTo(1L);
      assertThat(client.call("persist", "away")).isEqualTo(1L);
      assertThat(bytes(server) - before).isLessThan(10_000);

      client.call("del", "away");
      while (bytes(server) != before) {
        client.call("incr", "n"); // one digit
        client.call("set", "n", "1");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:", "rocksdb:"})
  void aStoreOfVersion1IsRewrittenAsItIsWritten(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      // given what version 0.1.0 wrote
      byte[] value = new byte[100_001];
      Arrays.fill(value, (byte) 'a');
      value[0] = 0x10;
      Table<byte[], byte[]> table = server.store().table("db0");
      table.put("kold".getBytes(US_ASCII), value);
      table.put("kother".getBytes(US_ASCII), value);
      server.restart();
      table = server.store().table("db0");
      try (RespClient client = server.connect()) {
        assertThat(client.call("getrange", "old", "99998", "-1")).isEqualTo("aa");
        assertThat(client.call("bitcount", "old")).isEqualTo(300_000L);
        assertThat(client.call("set", "short", "x")).isEqualTo("OK");
        assertThat(table.get(VERSION)).containsExactly(1);

        // when
        assertThat(client.call("setbit", "old", "6", "1")).isEqualTo(0L);
        assertThat(client.call("expire", "other", "1000")).isEqualTo(1L);

        // then
        assertThat(table.get(VERSION)).containsExactly(2);
        assertThat(table.get("kold".getBytes(US_ASCII))).hasSize(17);
        assertThat(table.get("kother".getBytes(US_ASCII))).hasSize(25);
        assertThat(client.call("get", "old")).isEqualTo("c" + "a".repeat(99_999));
      }
      server.restart();
      try (RespClient client = server.connect()) {
        assertThat(client.call("append", "old", "b")).isEqualTo(100_001L);
        assertThat(client.call("get", "old")).isEqualTo("c" + "a".repeat(99_999) + "b");
        assertThat(client.call("get", "other")).isEqualTo("a".repeat(100_000));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void aStringIsReadAsItIsAtOneMoment(String engine) throws InterruptedException {
    try (TestServer server = TestServer.start(engine)) {
      readsWhileOthersWrite(server.port());
      assertThat(server.log()).isEmpty();
    }
  }

  @Test
  void alsoWhereTheStoreHasNoSnapshots() throws InterruptedException {
    try (Store store = Stadium.open("memory:");
        Server server =
            Server.start(
                withoutSnapshots(store),
                ServerOptions.DEFAULT.redisPort(0).httpPort(-1),
                line -> {})) {
      readsWhileOthersWrite(server.redisPort());
    }
  }

  private static Store withoutSnapshots(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals("snapshot")) {
                throw new UnsupportedOperationException();
              }
              if (method.getName().equals("capabilities")) {
                Set<Capability> fewer = EnumSet.copyOf(store.capabilities());
                fewer.remove(Capability.SNAPSHOT);
                return fewer;
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void readsWhileOthersWrite(int port) throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              try (RespClient client = RespClient.connect(port)) {
                for (int i = 0; !over.get(); i = (i + 1) % 10) {
                  client.call("set", "s", Integer.toString(i).repeat(length((char) ('0' + i))));
                  client.call("setrange", "s", "0", "y".repeat(length('y')));
                  client.call("del", "s");
                }
              }
            });
    try (RespClient client = RespClient.connect(port)) {
      for (int i = 0; i < 2_000; i++) {
        String read = String.valueOf(client.call("get", "s"));
        boolean isOne =
            read.chars().distinct().count() == 1 && read.length() == length(read.charAt(0));
        assertThat(isOne || read.equals("null"))
            .as(() -> read.length() + " " + read.replaceAll("(.)\\1+", "$1"))
            .isTrue();
        String part = String.valueOf(client.call("getrange", "s", "8000", "66000"));
        assertThat(part.chars().distinct().count()).isLessThan(2);
      }
    } finally {
      over.set(true);
      writer.join();
    }
  }

  /** The length of a string of one letter only. */
  private static int length(char letter) {
    return letter == 'y' ? 90_000 : 70_000 + letter;
  }

  @Test
  void whatAScriptOrATransactionTakesBackIsAsBefore() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("set", "s", "a".repeat(70_000));
      String script =
          "redis.call('setbit', KEYS[1], 6, 1) return redis.call('getrange', KEYS[1], 0, 1)";
      assertThat(client.call("eval", script, "1", "s")).isEqualTo("ca");
      client.call("watch", "s");
      client.call("multi");
      client.call("append", "s", "b");
      client.call("getrange", "s", "-2", "-1");
      client.call("lpush", "s", "x");
      assertThat(client.call("exec").toString()).startsWith("[70001, ab, -WRONGTYPE");
      client.call("watch", "s");
      client.call("setbit", "s", "6", "1");
      client.call("multi");
      assertThat(client.call("exec")).isEqualTo(List.of()); // nothing has changed
      client.call("watch", "s");
      client.call("setbit", "s", "6", "0");
      client.call("multi");
      client.call("get", "s");
      assertThat(client.call("exec")).isNull();
    }
  }
}
