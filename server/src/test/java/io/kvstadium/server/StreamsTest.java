package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What streams do beyond Redis' replies: in the store, after a restart, among many consumers. */
final class StreamsTest {
  private static List<byte[]> words(String request) {
    return Arrays.stream(request.split(" "))
        .map(word -> word.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  private static void fill(RespClient client, String key, int count) {
    client.pipeline(
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> words("XADD " + key + " " + i + "-0 field value" + i))
            .toList());
  }

  private static long elements(TestServer server) {
    return server.store().table("db0").count(Range.prefix(new byte[] {'e'}));
  }

  private static void awaitSweep(TestServer server, RespClient client) {
    Table<byte[], byte[]> table = server.store().table("db0");
    while (table.first(Range.prefix(new byte[] {'g'})) != null) {
      assertThat(client.call("INCR", "n")).isInstanceOf(Long.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:", "rocksdb:"})
  void areThereAfterARestart(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      String entries;
      String groups;
      try (RespClient client = server.connect()) {
        fill(client, "s", 10);
        client.call("XDEL", "s", "4");
        client.call("XGROUP", "CREATE", "s", "g", "0");
        client.call("XREADGROUP", "GROUP", "g", "c", "COUNT", "5", "STREAMS", "s", ">");
        client.call("XACK", "s", "g", "2");
        entries = client.reply("XRANGE", "s", "-", "+").raw();
        groups = client.reply("XINFO", "STREAM", "s", "FULL").raw();
      }

      server.restart();

      try (RespClient client = server.connect()) {
        assertThat(client.reply("XRANGE", "s", "-", "+").raw()).isEqualTo(entries);
        assertThat(client.reply("XINFO", "STREAM", "s", "FULL").raw()).isEqualTo(groups);
        assertThat(client.call("XADD", "s", "10-*", "a", "b")).isEqualTo("10-1");
      }
    }
  }

  /** A copy is made before the sweep begins; what stays is not touched by it. */
  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void nothingIsLeftOfWhatWasTrimmedOrDestroyed(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      // given
      fill(client, "s", 3_000);
      for (String group : List.of("g", "h")) {
        client.call("XGROUP", "CREATE", "s", group, "0");
        client.call("XREADGROUP", "GROUP", group, "c", "COUNT", "999", "STREAMS", "s", ">");
      }

      // when
      client.pipeline(
          List.of(
              words("MULTI"),
              words("XTRIM s MAXLEN 2"),
              words("XGROUP DESTROY s g"),
              words("COPY s t"),
              words("EXEC")));
      Object seen = client.call("XREVRANGE", "s", "+", "-");
      awaitSweep(server, client);

      // then a group takes two elements and two for each entry that is pending
      assertThat(elements(server)).isEqualTo(2 * (2 + 2 + 2 * 999));
      for (String key : List.of("s", "t")) {
        assertThat(client.call("XREVRANGE", key, "+", "-")).isEqualTo(seen);
        assertThat(client.reply("XPENDING", key, "h").parts().getFirst().value()).isEqualTo(999L);
      }
      client.call("DEL", "s", "t");
      awaitSweep(server, client);
      assertThat(elements(server)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "rocksdb:"})
  void whatIsAddedBelowATrimStays(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      fill(client, "s", 1_000);

      client.pipeline(
          List.of(
              words("MULTI"),
              words("XTRIM s MAXLEN 0"),
              words("XSETID s 0-0"),
              words("XADD s 5-0 a b"),
              words("EXEC")));
      awaitSweep(server, client);

      assertThat(client.call("XRANGE", "s", "-", "+"))
          .isEqualTo(List.of(List.of("5-0", List.of("a", "b"))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void everyEntryGoesToOneConsumerInOrder(String engine) throws InterruptedException {
    int consumers = 4;
    int entries = 400;
    Set<String> all = ConcurrentHashMap.newKeySet();
    List<List<String>> own = new ArrayList<>();
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      // given
      client.call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < consumers; i++) {
        List<String> mine = new ArrayList<>();
        own.add(mine);
        String name = "consumer" + i;
        threads.add(Thread.ofVirtual().start(() -> consume(server, name, mine)));
      }

      // when
      for (int i = 1; i <= entries; i++) {
        client.call("XADD", "s", String.format("%04d", i), "a", "b");
      }
      while (!"0".equals(client.reply("XPENDING", "s", "g").parts().getFirst().text())
          || !String.valueOf(client.call("XINFO", "GROUPS", "s")).contains("lag, 0")) {
        Thread.onSpinWait();
      }
      client.call("DEL", "s");
      for (Thread thread : threads) {
        thread.join();
      }
    }

    // then
    own.forEach(all::addAll);
    assertThat(own.stream().mapToInt(List::size).sum()).isEqualTo(entries);
    assertThat(all).hasSize(entries);
    assertThat(own)
        .allSatisfy(each ->
            assertThat(each.stream().map(id -> Integer.valueOf(id.replace("-0", "")))).isSorted());
  }

  /** Until the stream is gone. */
  private static void consume(TestServer server, String name, List<String> taken) {
    try (RespClient client = server.connect()) {
      while (true) {
        Reply reply =
            client.reply(
                "XREADGROUP", "GROUP", "g", name, "COUNT", "2", "BLOCK", "0", "STREAMS", "s", ">");
        if (reply.isError()) {
          return;
        }
        for (Reply entry : reply.parts().getFirst().parts().getLast().parts()) {
          String id = String.valueOf(entry.parts().getFirst().text());
          taken.add(id);
          client.call("XACK", "s", "g", id);
        }
      }
    }
  }

  @Test
  void anEntryHoldsLargeFieldsAndMany() {
    String large = "x".repeat(20_000_000);
    try (TestServer server = TestServer.start("rocksdb:");
        RespClient client = server.connect()) {
      client.call("XADD", "s", "1", "large", large, "", "");
      List<String> many = new ArrayList<>(List.of("XADD", "s", "2"));
      IntStream.range(0, 20_000).forEach(i -> many.add("w" + i));

      client.call(many.toArray(String[]::new));

      assertThat(client.call("XRANGE", "s", "-", "+"))
          .isEqualTo(
              List.of(
                  List.of("1-0", List.of("large", large, "", "")),
                  List.of("2-0", many.subList(3, many.size()))));
    }
  }

  /** Of Redis 7.4: the oracle of DifferentialTest does not know it. */
  @Test
  void theLastEntryIsReadByPlus() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect();
        RespClient waiting = server.connect()) {
      assertThat(client.call("XREAD", "STREAMS", "s", "+")).isNull();
      waiting.send("XREAD", "BLOCK", "0", "STREAMS", "s", "+");
      fill(client, "s", 1);
      assertThat(String.valueOf(waiting.read().value())).contains("1-0");
      fill(client, "t", 3);
      client.call("XDEL", "t", "3");

      Object last = client.call("XREAD", "COUNT", "9", "STREAMS", "t", "+");

      assertThat(String.valueOf(last)).isEqualTo("[[t, [[2-0, [field, value2]]]]]");
    }
  }
}
