package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Move;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What monitoring reads. */
final class InfoTest {
  private static Map<String, String> lines(RespClient client, String section) {
    return String.valueOf(client.call("INFO", section))
        .lines()
        .filter(line -> line.contains(":"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')),
                line -> line.substring(line.indexOf(':') + 1)));
  }

  @Test
  void figuresAreThoseOfWhatHappened() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect();
        RespClient other = server.connect().protocol(3)) {
      // given
      client.call("SET", "key", "value");
      client.call("LPUSH", "key", "a");
      client.call("NOSUCH");
      client.call("SET", "short", "value", "PX", "1");
      other.call("CLIENT", "TRACKING", "ON");
      other.call("GET", "key");
      other.call("MGET", "key", "absent", "nowhere");
      while (lines(client, "stats").get("expired_keys").equals("0")) {
        Thread.onSpinWait();
      }

      // when
      Map<String, String> all = lines(client, "everything");

      // then
      assertThat(all)
          .containsEntry("tcp_port", Integer.toString(server.port()))
          .containsEntry("connected_clients", "2")
          .containsEntry("maxclients", "10000")
          .containsEntry("tracking_clients", "1")
          .containsEntry("tracking_total_keys", "3")
          .containsEntry("keyspace_hits", "2") // what writes look up is not counted
          .containsEntry("keyspace_misses", "2")
          .containsEntry("expired_keys", "1")
          .containsEntry("evicted_keys", "0")
          .containsEntry("errorstat_ERR", "count=1")
          .containsEntry("errorstat_WRONGTYPE", "count=1")
          .containsEntry("cluster_enabled", "0")
          .containsEntry("db0", "keys=1,expires=0,avg_ttl=0")
          .containsKeys("run_id", "used_memory_rss", "used_cpu_user", "rdb_last_save_time");
      assertThat(Long.parseLong(all.get("total_net_input_bytes"))).isGreaterThan(100);
      assertThat(Long.parseLong(all.get("total_net_output_bytes"))).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:"})
  void keysThatExpireAreCounted(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      client.call("SET", "a", "v", "EX", "1000");
      client.call("SET", "b", "v", "EX", "3000");
      client.call("SET", "b", "v", "EX", "3000");
      client.call("SET", "c", "v");
      client.call("EXPIRE", "c", "2000");
      client.call("SET", "d", "v", "EX", "5");
      client.call("PERSIST", "d");
      client.call("RPUSH", "e", "v");
      client.call("EXPIRE", "e", "9000");
      client.call("RENAME", "e", "f");
      client.call("DEL", "f");
      client.call("MULTI");
      client.call("SET", "g", "v", "EX", "9000");
      client.call("INCR", "g");
      client.call("SET", "g", "v");
      client.call("EXEC");

      String line = lines(client, "keyspace").get("db0");
      client.call("SAVE");
      client.call("SET", "a", "v", "EX", "1000");
      client.call("GETSET", "d", "v");
      client.call("GET", "d");
      client.call("DEL", "none");
      assertThat(lines(client, "persistence"))
          .containsEntry("rdb_changes_since_last_save", "2")
          .containsKey("stadium_store_bytes");

      assertThat(line).startsWith("keys=5,expires=3,avg_ttl=");
      assertThat(Long.parseLong(line.substring(line.lastIndexOf('=') + 1)))
          .isBetween(1_900_000L, 2_000_000L);
      client.call("FLUSHALL");
      client.call("SET", "a", "v");
      assertThat(lines(client, "keyspace")).containsEntry("db0", "keys=1,expires=0,avg_ttl=0");
    }
  }

  @Test
  void commandsAreCountedWhenAskedFor() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      // when
      client.call("SET", "k", "v");
      client.call("GET", "k");
      client.call("LPUSH", "k", "v");
      client.call("GET");
      client.call("NOSUCH");
      client.call("CLIENT", "ID");
      client.call("MULTI");
      client.call("GET", "k");
      client.call("EXEC");

      // then
      String text = String.valueOf(client.call("INFO", "commandstats"));
      assertThat(text)
          .containsPattern(
              "cmdstat_set:calls=1,usec=\\d+,usec_per_call=\\d+\\.\\d\\d,rejected_calls=0")
          .containsPattern("cmdstat_get:calls=2,.*,rejected_calls=1,failed_calls=0")
          .containsPattern("cmdstat_lpush:calls=1,.*,rejected_calls=0,failed_calls=1")
          .contains("cmdstat_client|id:calls=1,", "cmdstat_exec:calls=1,")
          .doesNotContain("nosuch", "cmdstat_ping", "# Server");
      assertThat(String.valueOf(client.call("INFO"))).doesNotContain("cmdstat_");
      assertThat(String.valueOf(client.call("INFO", "everything"))).contains("cmdstat_get");
      String times = String.valueOf(client.call("INFO", "latencystats"));
      assertThat(times)
          .containsPattern(
              "latency_percentiles_usec_get:p50=\\d+\\.\\d{3},p99=[\\d.]+,p99.9=[\\d.]+\r\n");
      assertThat(client.call("LATENCY", "HISTOGRAM", "get", "client", "none").toString())
          .startsWith("[client|id, [calls, 1, histogram_usec, [")
          .contains("get, [calls, 2, histogram_usec, [")
          .doesNotContain("set");
      client.call("CONFIG", "RESETSTAT");
      assertThat(client.call("LATENCY", "HISTOGRAM", "get")).isEqualTo(List.of());
      assertThat(String.valueOf(client.call("INFO", "commandstats"))).doesNotContain("cmdstat_get");
    }
  }

  @Test
  void aListShowsWhatClientsHold() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect();
        RespClient other = server.connect()) {
      // given
      client.call("MULTI");
      client.call("SET", "key", "x".repeat(1_000));

      // when
      String list = String.valueOf(other.call("CLIENT", "LIST"));

      // then
      assertThat(list)
          .containsPattern(" flags=x .* multi=1 .* multi-mem=1\\d{3} .* tot-mem=1\\d{3} ")
          .contains(" flags=N ");
    }
  }

  @Test
  void aMoveIsShown(@TempDir Path directory) {
    String move = "lmdb:?shadow=1&move_to=rocksdb:" + directory.resolve("new");
    try (TestServer server = TestServer.start(move);
        RespClient client = server.connect()) {
      client.call("SET", "key", "value");
      Map<String, String> lines = lines(client, "persistence");
      while (!"in-step".equals(lines.get("stadium_move_state"))) {
        lines = lines(client, "persistence");
      }
      client.call("GET", "key");

      assertThat(lines.get("stadium_move_to")).startsWith("rocksdb:" + directory.resolve("new"));
      assertThat(lines)
          .containsEntry("stadium_move_problem", "0")
          .containsKeys("stadium_move_pending", "stadium_move_seconds_behind");
      assertThat(server.store().move().over(Duration.ofSeconds(20), true).state())
          .isEqualTo(Move.State.OVER);
      assertThat(client.call("GET", "key")).hasToString("value");
      assertThat(lines(client, "persistence")).containsEntry("stadium_move_state", "over");
    }
  }
}
