package io.kvstadium.server.http;

import static io.kvstadium.server.http.Served.ENTRIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Entry;
import io.kvstadium.testsupport.Wire;
import io.kvstadium.testsupport.Wire.Response;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How requests and replies follow each other on a connection. */
class FramingTest {
  private static final int MANY = 20_000;
  private static final String VALUE = "v".repeat(100);
  private static final String HEALTH = "GET /v1/health HTTP/1.1\r\n\r\n";
  private static final String ALL = "GET " + ENTRIES + "?limit=1000000 HTTP/1.1\r\n\r\n";

  @TempDir private static Path directory;

  static Stream<String> engines() {
    return Served.engines(directory.resolve("e" + System.nanoTime()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String key(int i) {
    return String.format(Locale.ROOT, "k%07d", i);
  }

  private static String entry(String key, String value) {
    return "\n{\"key\":\"" + key + "\",\"value\":\"" + value + "\"}";
  }

  /** Fills the store with far more than is kept for a connection; returns what a scan must give. */
  private static String fill(Served served) {
    served
        .store
        .table()
        .bulkLoad(
            IntStream.range(0, MANY)
                .mapToObj(i -> new Entry<>(bytes(key(i)), bytes(VALUE)))
                .iterator(),
            true);
    return IntStream.range(0, MANY)
        .mapToObj(i -> entry(key(i), VALUE))
        .collect(Collectors.joining(",", "{\"entries\":[", "\n],\"next\":null}\n"));
  }

  @ParameterizedTest
  @MethodSource("engines")
  void pipelinedRequestsAreAnsweredInTheirOrder(String url) {
    try (Served served = new Served(url);
        Wire wire = served.wire()) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 2_000; i++) {
        requests.append(Served.put("k", "" + i % 10));
        requests.append("GET " + ENTRIES + "/k HTTP/1.1\r\n\r\n");
      }

      wire.send(requests.toString());

      for (int i = 0; i < 2_000; i++) {
        assertThat(wire.next().status()).isEqualTo(204);
        assertThat(wire.next().body()).isEqualTo("" + i % 10);
      }
    }
  }

  @Test
  void aChunkedBodyIsTaken() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      wire.send(
          "PUT "
              + ENTRIES
              + "/k HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n");
      wire.send("0\r\n\r\nGET " + ENTRIES + "/k HTTP/1.1\r\n\r\n");

      assertThat(wire.next().status()).isEqualTo(204);
      assertThat(wire.next().body()).isEqualTo("abc");
    }
  }

  @Test
  void bytesThatArriveOneByOneAreARequest() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      for (char c : Served.put("k", "v").toCharArray()) {
        wire.send(String.valueOf(c));
      }

      assertThat(wire.next().status()).isEqualTo(204);
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP/1.1,close", "HTTP/1.1,CLOSE", "HTTP/1.0,none"})
  void theConnectionEndsWhereItShould(String version, String connection) {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String header = connection.equals("none") ? "" : "Connection: " + connection + "\r\n";

      Response response = wire.send("GET /v1/tables " + version + "\r\n" + header + "\r\n").next();

      assertThat(response.body()).isEqualTo("{\"tables\":[\"default\"]}");
      assertThat(response.has("content-length")).isTrue();
      assertThat(response.header("connection")).isEqualTo("close");
      assertThat(wire.ends()).isTrue();
    }
  }

  @Test
  void anOldClientMayKeepTheConnection() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String request = "GET /v1/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";

      Response first = wire.send(request).next();

      assertThat(first.header("connection")).isEqualTo("keep-alive");
      assertThat(wire.send(request).next().status()).isEqualTo(200);
    }
  }

  @Test
  void aClientThatEndsItsOutputStillGetsItsAnswer() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String expected = fill(served);
      wire.send(ALL);
      wire.endOutput();

      assertThat(wire.next().body().equals(expected)).isTrue();
      assertThat(wire.ends()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aLongScanIsSentInChunks(String url) {
    try (Served served = new Served(url);
        Wire wire = served.wire()) {
      String expected = fill(served);

      Response response = wire.send(ALL).next();

      assertThat(response.header("transfer-encoding")).isEqualTo("chunked");
      assertThat(response.body().equals(expected)).isTrue();
      assertThat(wire.send(HEALTH).next().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aScanIsOfOneMoment(String url) {
    try (Served served = new Served(url);
        Wire wire = served.wire();
        Wire other = served.wire()) {
      String expected = fill(served);
      wire.send(ALL);
      assertThat(other.send(Served.put(key(MANY), "v")).next().status()).isEqualTo(204);
      other.send("DELETE " + ENTRIES + "/" + key(MANY - 1) + " HTTP/1.1\r\n\r\n");
      assertThat(other.next().status()).isEqualTo(204);

      String body = wire.next().body();

      // the scan may have begun before the writes or after one or both, but not in the middle
      int added = 1 + entry(key(MANY), "v").length();
      int removed = 1 + entry(key(MANY - 1), VALUE).length();
      assertThat(body.length())
          .isIn(expected.length(), expected.length() + added, expected.length() + added - removed);
    }
  }

  @Test
  void clientsThatNeverReadHoldUpNobody() {
    try (Served served = new Served("memory:");
        Wire lazy = served.wire()) {
      fill(served);
      lazy.send(ALL.repeat(1_000));

      for (int i = 0; i < 100; i++) {
        assertThat(served.get(ENTRIES + "/" + key(i))).isEqualTo(VALUE);
      }
    }
  }

  @Test
  void aClientThatGoesAwayGivesItsSnapshotBack() {
    try (Served served = new Served("memory:")) {
      int size = fill(served).length();
      for (int i = 0; i < 200; i++) { // more than are allowed at once
        try (Wire wire = served.wire()) {
          wire.send(ALL);
          if (i % 2 == 0) {
            wire.send("x"); // makes the server see that it is gone in different states
          }
        }
      }

      // the server may still be accepting the last ones, so a free snapshot can be taken again
      while (served.get(ENTRIES + "?limit=1000000").length() != size) {
        Thread.onSpinWait();
      }
      while (served.store.status().openHandles() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"GARBAGE,400", "GET /x HTTP/9.9,505", "GET /get?k,400", "GET /get?k HTTP/x,400"})
  void whatIsNoRequestIsRefused(String line, int status) {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      Response response = wire.send(line + "\r\n\r\n").next();

      assertThat(response.status()).isEqualTo(status);
      assertThat(response.body()).contains("\"status\":" + status);
      wire.endOutput();
      assertThat(wire.ends()).isTrue();
    }
  }

  @Test
  void garbageHarmsNobody() {
    List<String> requests =
        List.of(
            Served.put("%41%ff", "value"),
            "DELETE " + ENTRIES + "/k HTTP/1.1\r\nIf-Match: *\r\n\r\n",
            "PUT "
                + ENTRIES
                + "/a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
            "GET " + ENTRIES + "?from=%41&limit=2&token=kYQ HTTP/1.1\r\n\r\n",
            "POST /v1/batch HTTP/1.1\r\nContent-Length: 54\r\n\r\n"
                + "{\"operations\":[{\"put\":\"a\",\"value\":{\"base64\":\"/w==\"}}]}");
    Random random = new Random(7);
    try (Served served = new Served("memory:")) {
      for (int i = 0; i < 2_000; i++) {
        StringBuilder request = new StringBuilder(requests.get(random.nextInt(requests.size())));
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
          int at = random.nextInt(request.length());
          switch (random.nextInt(3)) {
            case 0 -> request.setCharAt(at, (char) random.nextInt(256));
            case 1 -> request.deleteCharAt(at);
            default -> request.insert(at, requests.get(random.nextInt(requests.size())));
          }
        }
        try (Wire wire = served.wire()) {
          wire.send(request.toString());
          if (random.nextInt(4) == 0) {
            wire.endOutput();
            while (!wire.ends()) {
              Thread.onSpinWait(); // whatever it answers, it finishes
            }
          }
        } catch (UncheckedIOException e) {
          assertThat(e).hasCauseInstanceOf(SocketException.class); // it closed the connection
        }
      }

      assertThat(served.get("/v1/tables")).startsWith("{\"tables\":[\"default\"");
      assertThat(served.log).isEmpty();
    }
  }

  @Test
  void lengthsThatContradictEachOtherAreRefused() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String put = Served.put("k", "value").replace("\r\n\r\n", "\r\nContent-Length: 6\r\n\r\n");

      assertThat(wire.send(put).next().status()).isEqualTo(400);
      assertThat(served.store.table().count()).isZero();
    }
  }

  @Test
  void headIsGetWithoutTheBody() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      fill(served);
      String one = "HEAD " + ENTRIES + "/" + key(1) + " HTTP/1.1\r\n\r\n";

      assertThat(wire.send(one).next(true).header("content-length")).isEqualTo("100");
      assertThat(wire.send(ALL.replace("GET", "HEAD")).next(true).status()).isEqualTo(200);
      assertThat(wire.send(HEALTH).next().status()).isEqualTo(200);
    }
  }

  @Test
  void aPageOfAnotherSiteIsRefused() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String put = Served.put("k", "v").replace("Host: a", "Host: a\r\nOrigin: http://evil");

      assertThat(wire.send(put).next().status()).isEqualTo(403);
      assertThat(served.store.table().count()).isZero();
    }
  }

  @Test
  void whatHasArrivedIsAnsweredWhenTheServerEnds() throws InterruptedException {
    Served served = new Served("memory:");
    try (Wire idle = served.wire();
        Wire busy = served.wire()) {
      String expected = fill(served);
      busy.send(ALL).awaitAnswer();
      assertThat(idle.send(HEALTH).next().status()).isEqualTo(200);
      Thread closer = Thread.ofPlatform().start(served::close);

      assertThat(busy.next().body().equals(expected)).isTrue();

      assertThat(busy.ends()).isTrue();
      assertThat(idle.ends()).isTrue();
      closer.join();
    }
  }
}
