package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** The two protocols over one plain table. */
class BothProtocolsTest {
  private static int put(TestServer server, String table, String value)
      throws IOException, InterruptedException {
    URI entry =
        URI.create(
            "http://127.0.0.1:"
                + server.server().httpPort()
                + "/v1/tables/"
                + table
                + "/entries/k");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(entry).PUT(BodyPublishers.ofString(value)).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void metricsAreThoseOfBothAndOfTheStoreAndOfTheProcess()
      throws IOException, InterruptedException {
    try (TestServer server = TestServer.start("lmdb:", options -> options.httpPort(0));
        RespClient client = server.connect()) {
      client.call("SET", "k", "v", "EX", "1000");
      client.call("SELECT", "3");
      client.call("MSET", "k", "v", "l", "v");
      client.call("LPUSH", "k", "v");
      put(server, "mine", "v");
      metrics(server);
      client.call("GET", "k");

      assertThat(metrics(server))
          .contains(
              "stadium_command_seconds_count{command=\"set\"} 1\n",
              "stadium_command_seconds_bucket{command=\"get\",le=\"+Inf\"} 1\n",
              "stadium_command_failures_total{command=\"lpush\"} 1.0\n",
              "stadium_errors_total{code=\"WRONGTYPE\"} 1.0\n",
              "stadium_keys{db=\"0\"} 1.0\n",
              "stadium_keys{db=\"3\"} 2.0\n",
              "stadium_expiring_keys{db=\"0\"} 1.0\n",
              "stadium_key_hits_total 1.0\n",
              "stadium_clients 1.0\n",
              "stadium_engine{name=\"",
              "stadium_http_request_seconds_count{route=\"PUT /v1/tables/{table}/entries/{key}\"} 1\n",
              "jvm_memory_used_bytes{area=\"heap\"",
              "jvm_gc_",
              "process_cpu_usage ",
              "process_files_open_files ")
          .containsPattern("(?m)^stadium_store_bytes [1-9]")
          .containsPattern("(?m)^stadium_disk_free_bytes [1-9]")
          .containsPattern("(?m)^stadium_resident_bytes [1-9]")
          .doesNotContain("command=\"zadd\"");
    }
  }

  private static String metrics(TestServer server) throws IOException, InterruptedException {
    URI metrics = URI.create("http://127.0.0.1:" + server.server().httpPort() + "/v1/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void aTransactionThatWatchesAKeySeesThatHttpWroteIt() throws IOException, InterruptedException {
    try (TestServer server = TestServer.start("memory:", options -> options.httpPort(0).raw(true));
        RespClient client = server.connect()) {
      server.store().table("db1");
      client.reply("WATCH", "k");
      assertThat(put(server, "default", "1")).isEqualTo(204);
      client.reply("MULTI");
      client.reply("SET", "k", "2");
      assertThat(client.reply("EXEC").value()).isNull();
      assertThat(client.reply("GET", "k").value()).isEqualTo("1");

      client.reply("WATCH", "k");
      assertThat(put(server, "db1", "2")).isEqualTo(204);
      client.reply("MULTI");
      client.reply("SET", "k", "3");
      client.reply("EXEC");
      assertThat(client.reply("GET", "k").value()).isEqualTo("3");
    }
  }
}
