package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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
          .containsEntry("db0", "keys=1")
          .containsKeys("run_id", "used_memory_rss", "used_cpu_user", "rdb_last_save_time");
      assertThat(Long.parseLong(all.get("total_net_input_bytes"))).isGreaterThan(100);
      assertThat(Long.parseLong(all.get("total_net_output_bytes"))).isGreaterThan(100);
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
      client.call("CONFIG", "RESETSTAT");
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
}
