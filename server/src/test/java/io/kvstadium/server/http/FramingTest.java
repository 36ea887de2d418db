package io.kvstadium.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.http.Wire.Response;
import io.kvstadium.store.Entry;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests and replies follow each other on a connection. */
class FramingTest {
  private static final int MANY = 20_000;

  /** Bytes of an entry in a reply. */
  private static final int ENTRY = 114;

  /** Bytes of an entry with a value of one byte in a reply. */
  private static final int SHORT_ENTRY = 13;

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

  /** Fills the store with far more than is kept for a connection; returns what a scan must give. */
  private static String fill(Served served) {
    String value = "v".repeat(100);
    StringBuilder expected = new StringBuilder();
    served
        .store
        .table()
        .bulkLoad(
            IntStream.range(0, MANY)
                .mapToObj(i -> new Entry<>(bytes(key(i)), bytes(value)))
                .iterator(),
            true);
    for (int i = 0; i < MANY; i++) {
      expected.append(key(i)).append("\n100\n").append(value).append('\n');
    }
    return expected.toString();
  }

  @ParameterizedTest
  @MethodSource("engines")
  void pipelinedRequestsAreAnsweredInTheirOrder(String url) {
    try (Served served = new Served(url);
        Wire wire = served.wire()) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 2_000; i++) {
        requests.append("POST /set HTTP/1.1\r\nContent-Length: 5\r\n\r\nk\n1\n" + i % 10);
        requests.append("GET /get?k HTTP/1.1\r\n\r\n");
      }

      wire.send(requests.toString());

      for (int i = 0; i < 2_000; i++) {
        assertThat(wire.next().body()).isEqualTo("OK\n");
        assertThat(wire.next().body()).isEqualTo("1\n" + i % 10 + "\n");
      }
    }
  }

  @Test
  void aPostWithoutLengthHasNoBody() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      wire.send("POST /stats HTTP/1.1\r\nHost: a\r\n\r\nGET /ping HTTP/1.1\r\n\r\n");

      assertThat(wire.next().status()).isEqualTo(200);
      assertThat(wire.next().body()).isEqualTo("pong");
    }
  }

  @Test
  void aChunkedBodyIsTaken() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      wire.send(
          "POST /set HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nk\n\r\n3\r\n1\nv\r\n");
      wire.send("0\r\n\r\nGET /get?k HTTP/1.1\r\n\r\n");

      assertThat(wire.next().body()).isEqualTo("OK\n");
      assertThat(wire.next().body()).isEqualTo("1\nv\n");
    }
  }

  @Test
  void bytesThatArriveOneByOneAreARequest() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      for (char c : "POST /set HTTP/1.1\r\nContent-Length: 5\r\n\r\nk\n1\nv".toCharArray()) {
        wire.send(String.valueOf(c));
      }

      assertThat(wire.next().body()).isEqualTo("OK\n");
    }
  }

  @ParameterizedTest
  @CsvSource({"HTTP/1.1,close", "HTTP/1.1,CLOSE", "HTTP/1.0,none"})
  void theConnectionEndsWhereItShould(String version, String connection) {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String header = connection.equals("none") ? "" : "Connection: " + connection + "\r\n";

      Response response = wire.send("GET /ping " + version + "\r\n" + header + "\r\n").next();

      assertThat(response.header("content-length")).isEqualTo("4");
      assertThat(response.header("connection")).isEqualTo("close");
      assertThat(wire.ends()).isTrue();
    }
  }

  @Test
  void headersAreWrittenAsOldClientsKnowThem() throws IOException {
    try (Served served = new Served("memory:");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
      socket.getOutputStream().write(bytes("GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n"));

      String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

      assertThat(reply.replaceFirst("Date: .*", "Date: now"))
          .isEqualTo(
              """
              HTTP/1.1 200 OK
              Content-Type: text/plain; charset=UTF-8
              Date: now
              Connection: close
              Content-Length: 4

              pong\
              """
                  .replace("\n", "\r\n"));
    }
  }

  /** A client that has read the last byte sees the end of the connection without waiting. */
  @ParameterizedTest
  @ValueSource(strings = {"/get?key", "/mget?key&key", "/prefit?k", "/tail"})
  void theEndComesWithTheLastByte(String target) throws IOException {
    Assumptions.assumeTrue(Epoll.isAvailable(), "elsewhere the kernel cannot be asked for it");
    ByteBuffer request = ByteBuffer.wrap(bytes("GET " + target + " HTTP/1.0\r\n\r\n"));
    ByteBuffer read = ByteBuffer.allocate(1_000);
    try (Served served = new Served("memory:")) {
      served.store.table().put(bytes("key"), bytes("value of it"));
      for (int i = 0; i < 200; i++) {
        read.clear();
        try (SocketChannel client =
            SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), served.port()))) {
          client.write(request.rewind());
          client.configureBlocking(false);
          while (!text(read).endsWith("value of it\n")) {
            client.read(read);
          }
          assertThat(client.read(read)).isEqualTo(-1);
        }
      }
    }
  }

  private static String text(ByteBuffer read) {
    return StandardCharsets.US_ASCII.decode(read.duplicate().flip()).toString();
  }

  @Test
  void anOldClientMayKeepTheConnection() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String request = "GET /ping HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";

      Response first = wire.send(request).next();

      assertThat(first.header("connection")).isEqualTo("keep-alive");
      assertThat(wire.send(request).next().body()).isEqualTo("pong");
    }
  }

  @Test
  void aClientThatEndsItsOutputStillGetsItsAnswer() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String expected = fill(served);
      wire.send("GET /tail HTTP/1.1\r\n\r\n");
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

      Response response = wire.send("GET /tail HTTP/1.1\r\n\r\n").next();

      assertThat(response.header("transfer-encoding")).isEqualTo("chunked");
      assertThat(response.body().equals(expected)).isTrue();
      assertThat(wire.send("GET /ping HTTP/1.1\r\n\r\n").next().body()).isEqualTo("pong");
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aLongScanHasItsLengthForAClientThatWantsTheEnd(String url) {
    try (Served served = new Served(url)) {
      String expected = fill(served);

      assertThat(served.get("/tail").equals(expected)).isTrue();
      assertThat(served.get("/seeknext-range?" + key(5) + "&" + key(19_000)))
          .isEqualTo(expected.substring(5 * ENTRY, 19_001 * ENTRY));
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aScanIsOfOneMoment(String url) {
    try (Served served = new Served(url);
        Wire wire = served.wire()) {
      String expected = fill(served);
      wire.send("GET /tail HTTP/1.1\r\n\r\n");
      assertThat(served.get("/get?none")).isEqualTo("-1\n");
      assertThat(served.post("/set", key(MANY) + "\n1\nv")).isEqualTo("OK\n");
      assertThat(served.post("/del", key(MANY - 1))).isEqualTo("OK\n");

      String body = wire.next().body();

      // the scan may have begun before the writes or after one or both, but not in the middle
      assertThat(body.length())
          .isIn(
              expected.length(),
              expected.length() + SHORT_ENTRY,
              expected.length() + SHORT_ENTRY - ENTRY);
    }
  }

  @Test
  void clientsThatNeverReadHoldUpNobody() {
    try (Served served = new Served("memory:");
        Wire lazy = served.wire()) {
      fill(served);
      lazy.send("GET /tail HTTP/1.1\r\n\r\n".repeat(1_000));

      for (int i = 0; i < 100; i++) {
        assertThat(served.get("/ping")).isEqualTo("pong");
      }
      assertThat(served.get("/get?" + key(0))).startsWith("100\n");
    }
  }

  @Test
  void aClientThatGoesAwayGivesItsSnapshotBack() {
    try (Served served = new Served("memory:")) {
      fill(served);
      for (int i = 0; i < 200; i++) { // more than are allowed at once
        try (Wire wire = served.wire()) {
          wire.send("GET /tail HTTP/1.1\r\n\r\n");
          if (i % 2 == 0) {
            wire.send("x"); // makes the server see that it is gone in different states
          }
        }
      }

      // the server may still be accepting the last ones, so a free snapshot can be taken again
      while (served.get("/tail").length() != MANY * ENTRY) {
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
            "GET /mget?a&b HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /mset HTTP/1.1\r\nContent-Length: 16\r\n\r\na\n3\n\n1\n\nb\n1\n2\n",
            "POST /set HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na\n1\n1\r\n0\r\n\r\n",
            "GET /v1/tables/default/entries?from=%41&limit=2&token=kYQ HTTP/1.1\r\n\r\n",
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

      assertThat(served.get("/ping")).isEqualTo("pong");
      assertThat(served.log).isEmpty();
    }
  }

  @Test
  void lengthsThatContradictEachOtherAreRefused() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      Response response =
          wire.send("POST /set HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nk\n1\nv")
              .next();

      assertThat(response.status()).isEqualTo(400);
      assertThat(served.store.table().count()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"PUT,/get?k,405", "DELETE,/set,405", "OPTIONS,/tail,405", "GET,/none,404"})
  void otherMethodsAndRoutesAreRefused(String method, String target, int status) {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      String request = method + " " + target + " HTTP/1.1\r\n\r\n";

      assertThat(wire.send(request).next().status()).isEqualTo(status);
      assertThat(wire.send("GET /ping HTTP/1.1\r\n\r\n").next().body()).isEqualTo("pong");
    }
  }

  @Test
  void headIsGetWithoutTheBody() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      fill(served);
      String end = " HTTP/1.1\r\n\r\n";

      Response one = wire.send("HEAD /get?" + key(1) + end).next(true);
      Response scan = wire.send("HEAD /tail" + end).next(true);

      assertThat(one.header("content-length")).isEqualTo("105");
      assertThat(scan.status()).isEqualTo(200);
      assertThat(wire.send("GET /ping" + end).next().body()).isEqualTo("pong");
    }
  }

  @Test
  void aPageOfAnotherSiteIsRefused() {
    try (Served served = new Served("memory:");
        Wire wire = served.wire()) {
      Response response =
          wire.send(
                  "POST /set HTTP/1.1\r\nHost: a\r\nOrigin: http://evil\r\n"
                      + "Content-Length: 5\r\n\r\nk\n1\nv")
              .next();

      assertThat(response.status()).isEqualTo(403);
      assertThat(served.store.table().count()).isZero();
    }
  }

  @Test
  void whatHasArrivedIsAnsweredWhenTheServerEnds() {
    Served served = new Served("memory:");
    try (Wire idle = served.wire();
        Wire busy = served.wire()) {
      String expected = fill(served);
      busy.send("GET /tail HTTP/1.1\r\n\r\n").awaitAnswer();
      idle.send("GET /ping HTTP/1.1\r\n\r\n");
      assertThat(idle.next().body()).isEqualTo("pong");
      Thread closer = Thread.ofPlatform().start(served::close);

      assertThat(busy.next().body().equals(expected)).isTrue();

      assertThat(busy.ends()).isTrue();
      assertThat(idle.ends()).isTrue();
      join(closer);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
