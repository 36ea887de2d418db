package io.kvstadium.server.rocksserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Entry;
import io.kvstadium.testsupport.Wire;
import io.kvstadium.testsupport.Wire.Response;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients of RocksServer expect of HTTP. */
class FramingTest {
  private static final int MANY = 20_000;

  /** Bytes of an entry in a reply. */
  private static final int ENTRY = 114;

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

  @ParameterizedTest
  @MethodSource("engines")
  void aLongScanIsSentInChunksOrWithItsLengthToAClientThatWantsTheEnd(String url) {
    try (Served served = new Served(url);
        Wire wire = served.wire()) {
      String expected = fill(served);

      Response response = wire.send("GET /tail HTTP/1.1\r\n\r\n").next();

      assertThat(response.header("transfer-encoding")).isEqualTo("chunked");
      assertThat(response.body().equals(expected)).isTrue();
      assertThat(served.get("/tail").equals(expected)).isTrue();
      assertThat(served.get("/seeknext-range?" + key(5) + "&" + key(19_000)))
          .isEqualTo(expected.substring(5 * ENTRY, 19_001 * ENTRY));
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
}
