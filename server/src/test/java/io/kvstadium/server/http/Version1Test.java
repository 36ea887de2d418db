package io.kvstadium.server.http;

import static io.kvstadium.server.http.Served.ENTRIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.ServerOptions;
import io.kvstadium.testsupport.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The modern protocol as Java's own client sees it. */
class Version1Test {
  @TempDir private static Path directory;

  private final HttpClient client = HttpClient.newHttpClient();

  static Stream<String> engines() {
    return Served.engines(directory.resolve("e" + System.nanoTime()));
  }

  private HttpResponse<byte[]> ask(
      Served served, String method, String target, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + target))
            .method(method, BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private HttpResponse<byte[]> get(Served served, String target, String... headers) {
    return ask(served, "GET", target, new byte[0], headers);
  }

  private String text(Served served, String target) {
    HttpResponse<byte[]> response = get(served, target);
    assertThat(response.statusCode()).as(target).isEqualTo(200);
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> post(Served served, String target, String body) {
    return ask(served, "POST", target, body.getBytes(StandardCharsets.UTF_8));
  }

  private int put(Served served, String key, String value, String... headers) {
    byte[] body = value.getBytes(StandardCharsets.ISO_8859_1);
    return ask(served, "PUT", ENTRIES + "/" + key, body, headers).statusCode();
  }

  private static String string(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("engines")
  void entriesAreBytes(String url) {
    try (Served served = new Served(url)) {
      byte[] all = new byte[256];
      StringBuilder key = new StringBuilder();
      byte[] stored = new byte[256];
      for (int i = 0; i < 256; i++) {
        all[i] = (byte) (255 - i);
        stored[i] = (byte) i;
        key.append('%').append(String.format("%02X", i));
      }
      String target = ENTRIES + "/" + key;

      assertThat(get(served, target).statusCode()).isEqualTo(404);
      assertThat(ask(served, "PUT", target, all).statusCode()).isEqualTo(204);

      assertThat(get(served, target).body()).isEqualTo(all);
      assertThat(served.store.table().get(stored)).isEqualTo(all);
      HttpResponse<byte[]> head = ask(served, "HEAD", target, new byte[0]);
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().firstValueAsLong("content-length")).hasValue(256);
      assertThat(ask(served, "DELETE", target, all).statusCode()).isEqualTo(204);
      assertThat(ask(served, "DELETE", target, all).statusCode()).isEqualTo(204);
      assertThat(get(served, target).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void keysMayHoldSlashesAndPlus() {
    try (Served served = new Served("memory:")) {
      put(served, "a/b+c", "1");

      assertThat(text(served, ENTRIES + "/a%2Fb%2Bc")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void writesMayHaveConditions(String url) {
    try (Served served = new Served(url)) {
      assertThat(put(served, "k", "1", "If-Match", "*")).isEqualTo(412);
      assertThat(put(served, "k", "1", "If-None-Match", "*")).isEqualTo(204);
      assertThat(put(served, "k", "2", "If-None-Match", "*")).isEqualTo(412);
      String tag = get(served, ENTRIES + "/k").headers().firstValue("etag").orElseThrow();
      assertThat(put(served, "k", "3", "If-Match", "\"other\"")).isEqualTo(412);
      assertThat(put(served, "k", "4", "If-Match", "\"other\", " + tag)).isEqualTo(204);
      assertThat(text(served, ENTRIES + "/k")).isEqualTo("4");
      assertThat(ask(served, "DELETE", ENTRIES + "/k", new byte[0], "If-Match", tag).statusCode())
          .isEqualTo(412);
      assertThat(put(served, "k", "5", "If-None-Match", tag)).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void tablesAreMadeListedAndDropped(String url) {
    try (Served served = new Served(url)) {
      byte[] none = {};
      String entry = "/v1/tables/t/entries/k";

      assertThat(ask(served, "PUT", entry, none).statusCode()).isEqualTo(404);
      assertThat(ask(served, "PUT", "/v1/tables/t", none).statusCode()).isEqualTo(201);
      assertThat(ask(served, "PUT", "/v1/tables/t", none).statusCode()).isEqualTo(204);
      assertThat(ask(served, "PUT", entry, none).statusCode()).isEqualTo(204);
      assertThat(text(served, "/v1/tables")).isEqualTo("{\"tables\":[\"default\",\"t\"]}");
      assertThat(ask(served, "DELETE", "/v1/tables/t", none).statusCode()).isEqualTo(204);
      assertThat(ask(served, "DELETE", "/v1/tables/t", none).statusCode()).isEqualTo(404);
      assertThat(get(served, entry).statusCode()).isEqualTo(404);
      assertThat(ask(served, "PUT", "/v1/tables/t", none).statusCode()).isEqualTo(201);
      assertThat(get(served, "/v1/tables/t/entries").statusCode()).isEqualTo(200);
      assertThat(get(served, entry).statusCode()).isEqualTo(404);
      assertThat(ask(served, "PUT", "/v1/tables/a%20b", none).statusCode()).isEqualTo(400);
      assertThat(ask(served, "DELETE", "/v1/tables/default", none).statusCode()).isEqualTo(409);
    }
  }

  @Test
  void databasesOfRedisAreClosedUnlessRaw() {
    ServerOptions options = ServerOptions.DEFAULT.redisPort(0).httpPort(0);
    String entry = "/v1/tables/db0/entries/k";
    try (Served served = new Served("memory:", options)) {
      assertThat(get(served, entry).statusCode()).isEqualTo(403);
      assertThat(text(served, "/v1/tables")).isEqualTo("{\"tables\":[\"default\"]}");
      assertThat(ask(served, "PUT", "/v1/tables/db3", new byte[0]).statusCode()).isEqualTo(403);
      assertThat(
              post(served, "/v1/batch", "{\"operations\":[{\"table\":\"db0\",\"delete\":\"k\"}]}")
                  .statusCode())
          .isEqualTo(403);
    }
    ServerOptions raw = ServerOptions.DEFAULT.redisPort(-1).httpPort(0).raw(true);
    try (Served served = new Served("memory:", raw)) {
      assertThat(ask(served, "PUT", "/v1/tables/db3", new byte[0]).statusCode()).isEqualTo(201);
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void rangesArePaged(String url) {
    try (Served served = new Served(url)) {
      for (String key : List.of("a1", "a2", "a3", "b1", "%FF")) {
        put(served, key, key.equals("a2") ? "\u00ff" : "v");
      }
      String a1 = "\n{\"key\":\"a1\",\"value\":\"v\"}";
      String a2 = "\n{\"key\":\"a2\",\"value\":{\"base64\":\"/w==\"}}";
      String a3 = "\n{\"key\":\"a3\",\"value\":\"v\"}";
      String b1 = "\n{\"key\":\"b1\",\"value\":\"v\"}";
      String ff = "\n{\"key\":{\"base64\":\"/w==\"},\"value\":\"v\"}";

      check(served, "", String.join(",", a1, a2, a3, b1, ff), null);
      check(served, "?prefix=a", String.join(",", a1, a2, a3), null);
      check(served, "?prefix=%FF", ff, null);
      check(served, "?from=a2&to=b1", String.join(",", a2, a3), null);
      check(served, "?prefix=a&from=a2&to=z", String.join(",", a2, a3), null);
      check(served, "?from=b&to=a", "", null);
      check(served, "?prefix=a&reverse", String.join(",", a3, a2, a1), null);
      check(served, "?keys_only=true&prefix=b", "\n{\"key\":\"b1\"}", null);
      check(served, "?prefix=a&limit=2", String.join(",", a1, a2), "a2");
      check(served, "?prefix=a&limit=2&token=" + token("a2"), a3, null);
      check(served, "?limit=2&reverse=true", String.join(",", ff, b1), "b1");
      check(
          served, "?limit=3&reverse=true&token=" + token("b1"), String.join(",", a3, a2, a1), null);
    }
  }

  private static String token(String last) {
    byte[] bytes = last.getBytes(StandardCharsets.ISO_8859_1);
    return "k" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private void check(Served served, String query, String entries, String last) {
    String next = last == null ? "null" : "\"" + token(last) + "\"";
    assertThat(text(served, ENTRIES + query))
        .as(query)
        .isEqualTo("{\"entries\":[" + entries + "\n],\"next\":" + next + "}\n");
  }

  @ParameterizedTest
  @MethodSource("engines")
  void multiGetKeepsTheOrder(String url) {
    try (Served served = new Served(url)) {
      put(served, "a", "1");
      put(served, "%FF", "\u00e9");

      HttpResponse<byte[]> response =
          post(
              served,
              "/v1/tables/default/multi-get",
              "{\"keys\": [{\"base64\":\"/w==\"}, \"none\", \"\", \"a\"]}");

      assertThat(string(response))
          .isEqualTo(
              """
              {"entries":[
              {"key":{"base64":"/w=="},"value":{"base64":"6Q=="}},
              {"key":"none","value":null},
              {"key":"","value":null},
              {"key":"a","value":"1"}
              ]}
              """);
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aBatchIsDoneWhollyOrNotAtAll(String url) {
    try (Served served = new Served(url)) {
      put(served, "a", "1");
      served.store.table("t");
      String good =
          """
          {"operations": [{"delete": "a"}, {"put": "b", "value": {"base64": "/w=="}},
            {"table": "t", "put": "c", "value": "3"}, {"put": "b", "value": "2"}]}
          """;
      String noTable =
          """
          {"operations": [{"put": "x", "value": "1"}, {"table": "no", "put": "x", "value": "1"}]}
          """;

      HttpResponse<byte[]> done = post(served, "/v1/batch", good);
      HttpResponse<byte[]> refused = post(served, "/v1/batch", noTable);

      assertThat(string(done)).isEqualTo("{\"operations\":4}");
      assertThat(refused.statusCode()).isEqualTo(404);
      assertThat(get(served, ENTRIES + "/a").statusCode()).isEqualTo(404);
      assertThat(get(served, ENTRIES + "/x").statusCode()).isEqualTo(404);
      assertThat(text(served, ENTRIES + "/b")).isEqualTo("2");
      assertThat(text(served, "/v1/tables/t/entries/c")).isEqualTo("3");
    }
  }

  @Test
  void mistakesAreToldInASentence() {
    try (Served served = new Served("memory:")) {
      List<String> bodies =
          List.of(
              "",
              "{",
              "[]",
              "{\"operations\":[{\"put\":\"a\"}]}",
              "{\"operations\":[{\"put\":\"a\",\"value\":1}]}",
              "{\"operations\":[{\"put\":\"a\",\"value\":\"1\",\"delete\":\"a\"}]}",
              "{\"operations\":[{\"delete\":{\"base64\":\"!\"}}]}",
              "{\"operations\":[{\"delete\":\"\\ud800\"}]}",
              "{\"operations\":[]} x",
              "{\"operations\":[],\"more\":1}");
      for (String body : bodies) {
        HttpResponse<byte[]> response = post(served, "/v1/batch", body);
        assertThat(response.statusCode()).as(body).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type"))
            .hasValue("application/problem+json");
        assertThat(string(response)).as(body).contains("\"detail\":");
      }
      List<String> queries =
          List.of(
              "?limit=0", "?limit=x", "?nothing=1", "?from=1&from=2", "?token=x", "?from=%2525%2");
      for (String query : queries) {
        try (Wire wire = served.wire()) {
          Wire.Response response = wire.send("GET " + ENTRIES + query + " HTTP/1.1\r\n\r\n").next();
          assertThat(response.status()).as(query).isEqualTo(400);
        }
      }
      assertThat(get(served, "/v1/none").statusCode()).isEqualTo(404);
      HttpResponse<byte[]> method = post(served, "/v1/tables", "");
      assertThat(method.statusCode()).isEqualTo(405);
      assertThat(method.headers().firstValue("allow")).hasValue("GET, HEAD");
    }
  }

  @Test
  void aRequestThatTheEngineCannotHoldConcernsNobodyElse() {
    try (Served served = new Served("lmdb:" + directory.resolve("long"));
        Wire wire = served.wire()) {
      String longKey = "x".repeat(600);
      String request = "PUT " + ENTRIES + "/%s HTTP/1.1\r\nContent-Length: 1\r\n\r\nv";

      wire.send(request.formatted("a") + request.formatted(longKey) + request.formatted("b"));

      assertThat(wire.next().status()).isEqualTo(204);
      assertThat(wire.next().status()).isEqualTo(400);
      assertThat(wire.next().status()).isEqualTo(204);
      assertThat(get(served, ENTRIES + "/" + longKey).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void manyConnectionsWriteAtOnce() throws InterruptedException {
    try (Served served = new Served("lmdb:" + directory.resolve("many"))) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int writer = i;
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int n = 0; n < 100; n++) {
                    put(served, writer + "-" + n, "v");
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }

      assertThat(served.store.table().count()).isEqualTo(800);
    }
  }

  @Test
  void healthAndMetrics() {
    try (Served served = new Served("memory:")) {
      put(served, "a", "1");
      served.get(ENTRIES + "/a");
      get(served, "/v1/none");

      assertThat(text(served, "/v1/health"))
          .startsWith("{\"status\":\"ok\",\"engine\":\"memory\",\"durability\":");
      assertThat(text(served, "/v1/stats")).startsWith("{");
      assertThat(text(served, "/v1/metrics"))
          .contains(
              "stadium_http_requests_total{route=\"GET /v1/tables/{table}/entries/{key}\",status=\"2xx\"} 1.0\n",
              "stadium_http_requests_total{route=\"PUT /v1/tables/{table}/entries/{key}\",status=\"2xx\"} 1.0\n",
              "stadium_http_requests_total{route=\"other\",status=\"4xx\"} 1.0\n",
              "stadium_http_request_seconds_bucket{route=\"GET /v1/tables/{table}/entries/{key}\",le=\"+Inf\"} 1\n",
              "stadium_http_request_seconds_count{route=\"GET /v1/tables/{table}/entries/{key}\"} 1\n",
              "stadium_http_open_scans 0.0\n",
              "stadium_store_open 1.0\n")
          .doesNotContain("stadium_http_received_bytes_total 0", "route=\"POST /v1/batch\"");
    }
  }

  @Test
  void aPasswordIsAskedFor() {
    ServerOptions options = ServerOptions.DEFAULT.redisPort(-1).httpPort(0).password("s3");
    try (Served served = new Served("memory:", options)) {
      String right =
          "Basic "
              + Base64.getEncoder().encodeToString("default:s3".getBytes(StandardCharsets.UTF_8));
      String wrong =
          "Basic "
              + Base64.getEncoder().encodeToString("default:s".getBytes(StandardCharsets.UTF_8));

      assertThat(get(served, "/v1/tables").statusCode()).isEqualTo(401);
      assertThat(get(served, "/v1/tables", "Authorization", wrong).statusCode()).isEqualTo(401);
      assertThat(get(served, "/v1/tables", "Authorization", right).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void usersMayDoWhatTheirRulesSay() {
    ServerOptions options =
        ServerOptions.DEFAULT
            .redisPort(-1)
            .httpPort(0)
            .security(
                new ServerOptions.Security(
                    "s3",
                    List.of(
                        new ServerOptions.UserRules(
                            "reader",
                            List.of("on", ">pass:word", "=orders", "=default", "+kv.get"))),
                    null));
    try (Served served = new Served("memory:", options)) {
      served
          .store
          .table("orders")
          .put("k".getBytes(StandardCharsets.UTF_8), "v".getBytes(StandardCharsets.UTF_8));
      served
          .store
          .table("secret")
          .put("k".getBytes(StandardCharsets.UTF_8), "v".getBytes(StandardCharsets.UTF_8));
      String reader = basic("reader:pass:word");

      assertThat(status(served, "GET", "/v1/tables/orders/entries/k", "", reader)).isEqualTo(200);
      assertThat(status(served, "GET", "/v1/tables/secret/entries/k", "", reader)).isEqualTo(403);
      assertThat(status(served, "PUT", "/v1/tables/orders/entries/k", "x", reader)).isEqualTo(403);
      assertThat(status(served, "GET", "/v1/tables/orders/entries", "", reader)).isEqualTo(403);
      String batch = "{\"operations\": [{\"table\": \"orders\", \"delete\": \"k\"}]}";
      assertThat(status(served, "POST", "/v1/batch", batch, reader)).isEqualTo(403);
      assertThat(status(served, "POST", "/v1/backups", "", reader)).isEqualTo(403);
      assertThat(status(served, "GET", "/v1/tables/orders/entries/k", "", basic("reader:pass")))
          .isEqualTo(401);
      assertThat(status(served, "GET", "/v1/tables/orders/entries/k", "", basic("nobody:pass")))
          .isEqualTo(401);
      assertThat(status(served, "POST", "/v1/batch", batch, basic("default:s3"))).isEqualTo(200);
      assertThat(served.log)
          .satisfiesExactly(
              line -> assertThat(line).contains("127.0.0.1:", "reader"),
              line -> assertThat(line).contains("127.0.0.1:", "nobody"));
    }
  }

  private static String basic(String who) {
    return "Basic " + Base64.getEncoder().encodeToString(who.getBytes(StandardCharsets.UTF_8));
  }

  private static int status(
      Served served, String method, String target, String body, String authorization) {
    try (Wire wire = served.wire()) {
      return wire.send(
              method
                  + " "
                  + target
                  + " HTTP/1.1\r\nHost: a\r\nAuthorization: "
                  + authorization
                  + "\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body)
          .next()
          .status();
    }
  }
}
