package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.command.Call;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CONFIG knows the parameters of Redis, and takes and returns what Redis does. */
final class ParametersTest {
  @TempDir private Path directory;

  /** What differs by nature: where the servers are and how they were started. */
  private static final Set<String> PLACES = Set.of("port", "dir", "unixsocketperm");

  /**
   * Not sent: they would end or change the compared server, or depend on how it was built; and
   * those that are fixed here, since they mean something and cannot be changed.
   */
  private static final Set<String> UNSENT =
      Set.of(
          "port",
          "bind",
          "dir",
          "unixsocketperm",
          "appendonly",
          "requirepass",
          "maxclients",
          "maxmemory-policy",
          "activedefrag",
          "protected-mode",
          "proto-max-bulk-len",
          "oom-score-adj",
          "oom-score-adj-values",
          "cluster-announce-hostname",
          "proc-title-template",
          "notify-keyspace-events");

  private static final List<String> VALUES =
      List.of(
          "",
          "yes",
          "NO",
          "0",
          "1",
          "-1",
          "07",
          "1k",
          "2MB",
          "-2gb",
          "50%",
          "150%",
          "70000",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "abc",
          "allkeys-lru",
          "Verbose",
          "everysec",
          "nosave now",
          "save nosave",
          "900 1",
          "900 1 60",
          "0 1",
          "50 99.9",
          "101",
          "normal 1mb 2k 3",
          "replica 0 0 -1",
          "master 0 0 0");

  private TestServer server;
  private Oracle oracle;
  private RespClient ours;
  private RespClient theirs;

  @BeforeEach
  void start() {
    oracle = Oracle.start();
    theirs = oracle.connect();
    server = TestServer.start();
    ours = server.connect();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      ours.close();
      server.close();
      theirs.close();
      oracle.close();
    }
  }

  private static Map<String, String> all(RespClient client) {
    Map<String, String> found = new TreeMap<>();
    List<Reply> parts = client.reply("config", "get", "*").parts();
    for (int i = 0; i < parts.size(); i += 2) {
      found.put(parts.get(i).text(), parts.get(i + 1).text());
    }
    return found;
  }

  @Test
  void namesAndDefaultsAreThoseOfRedis() {
    Map<String, String> here = all(ours);
    Map<String, String> there = all(theirs);

    assertThat(here.remove("durability")).isEqualTo("none");
    PLACES.forEach(each -> assertThat(here.remove(each)).isNotEqualTo(there.remove(each)));
    assertThat(here).isEqualTo(there);
  }

  @Test
  void whatRedisTakesIsTakenAndRemembered() {
    List<String> differing = new ArrayList<>();
    for (String name : all(theirs).keySet()) {
      if (!UNSENT.contains(name) && !name.startsWith("tls-")) {
        List<List<String>> requests = new ArrayList<>();
        for (String value : VALUES) {
          // Redis takes what does not fit into 64 bits for a percentage
          if (!name.equals("maxmemory-clients") || !value.endsWith("808")) {
            requests.add(List.of("config", "set", name, value));
            requests.add(List.of("config", "get", name));
          }
        }
        compare(differing, requests);
      }
    }
    compare(
        differing,
        List.of(
            List.of("config", "set", "hz", "20", "nosuch", "1"),
            List.of("config", "set", "hz", "20", "maxmemory-samples", "x"),
            List.of("config", "set", "hz", "20", "HZ", "30"),
            List.of("config", "set", "hz"),
            List.of("config", "get", "Hz", "nosuch"),
            List.of("config", "get", "watchdog-period")));

    assertThat(differing).isEmpty();
  }

  private void compare(List<String> differing, List<List<String>> requests) {
    List<List<byte[]>> bytes = new ArrayList<>();
    for (List<String> request : requests) {
      bytes.add(request.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList());
    }
    List<Reply> here = ours.pipeline(bytes);
    List<Reply> there = theirs.pipeline(bytes);
    for (int i = 0; i < requests.size(); i++) {
      if (!here.get(i).raw().equals(there.get(i).raw())) {
        differing.add(
            String.join(" ", requests.get(i))
                + "\n  Redis: "
                + there.get(i)
                + "\n  ours:  "
                + here.get(i));
      }
    }
  }

  @Test
  void thePasswordAndTheLimitOfClientsTakeEffect() {
    assertThat(ours.call("config", "set", "requirepass", "secret", "maxclients", "2"))
        .isEqualTo("OK");

    try (RespClient second = server.connect();
        RespClient third = server.connect()) {
      assertThat(second.reply("ping").raw()).startsWith("-NOAUTH");
      assertThat(second.call("auth", "secret")).isEqualTo("OK");
      assertThat(third.read().raw()).contains("max number of clients");
    }
    assertThat(ours.call("config", "set", "requirepass", "")).isEqualTo("OK");
    assertThat(ours.reply("auth", "secret").raw()).contains("without any password");
    assertThat(String.valueOf(ours.call("slowlog", "get"))).doesNotContain("secret");
  }

  @Test
  void appendfsyncAlwaysSyncsWhateverTheStorePromises() {
    AtomicInteger syncs = new AtomicInteger();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            syncs.addAndGet(call == Call.SYNC ? 1 : 0);
          }
        };
    try (Store store =
            Stadium.open(
                "rocksdb:" + directory.resolve("store"), OpenOptions.DEFAULT.listener(listener));
        Server server =
            Server.start(store, ServerOptions.DEFAULT.redisPort(0).httpPort(-1), line -> {});
        RespClient client = RespClient.connect(server.redisPort())) {
      client.call("set", "a", "1");
      assertThat(syncs).hasValue(0);

      client.call("config", "set", "appendfsync", "always");
      client.call("set", "a", "2");

      assertThat(syncs).hasValue(1);
      assertThat(client.reply("config", "get", "appendfsync").raw()).contains("always");
      client.call("config", "set", "appendfsync", "everysec");
      client.call("set", "a", "3");
      assertThat(syncs).hasValue(1);
    }
  }

  /** As in Redis: there are none. */
  @Test
  void whereReplicasAreRequiredNothingIsWritten() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("config", "set", "min-replicas-to-write", "1");

      assertThat(client.reply("set", "a", "1").raw()).startsWith("-NOREPLICAS ");
      assertThat(client.reply("eval", "return redis.call('set', 'a', '1')", "0").raw())
          .contains("NOREPLICAS");
      assertThat(client.call("get", "a")).isNull();
      client.call("multi");
      assertThat(client.reply("set", "a", "1").raw()).startsWith("-NOREPLICAS ");
      assertThat(client.reply("exec").raw()).startsWith("-EXECABORT ");
      client.call("config", "set", "min-replicas-max-lag", "0");
      assertThat(client.call("set", "a", "1")).isEqualTo("OK");
    }
  }
}
