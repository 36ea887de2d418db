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
