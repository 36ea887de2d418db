package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no client should send: an error or the end of the connection, and nothing else. */
class HostileClientTest {
  private final TestServer server =
      TestServer.start(
          "memory:",
          options ->
              options.limits(
                  new ServerOptions.Limits(
                      10_000,
                      Duration.ZERO,
                      8 << 20,
                      1 << 20,
                      512 << 20,
                      ServerOptions.Bound.NONE)));

  @AfterEach
  void close() {
    server.close();
  }

  static Stream<String> malformed() {
    return Stream.of(
        "*1\r\n+PING\r\n",
        "*1\r\n$abc\r\n",
        "*1\r\n$-5\r\n",
        "*1\r\n$99999999999\r\n",
        "*99999999999\r\n",
        "*-\r\n",
        "*\r\n",
        "*2\r\n$3\r\nGET\r\n:1\r\n",
        "*1048577\r\n",
        "*1\r\n$536870913\r\n",
        "SET a \"unbalanced\r\n",
        "*" + "1".repeat(70_000),
        "x".repeat(70_000),
        "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "Host: localhost\r\n");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void whatIsNoRequestEndsItsConnectionAndNothingElse(String bytes) {
    try (RespClient victim = server.connect();
        RespClient attacker = server.connect()) {
      assertThat(victim.reply("set", "k", "v").raw()).isEqualTo("+OK\r\n");

      attacker.sendBytes(bytes.getBytes(StandardCharsets.ISO_8859_1));

      if (!bytes.contains("ost")) {
        assertThat(attacker.read().raw()).startsWith("-ERR Protocol error: ");
      }
      assertThat(attacker.ended()).isTrue();
      assertThat(victim.reply("get", "k").raw()).isEqualTo("$1\r\nv\r\n");
      assertThat(victim.reply("dbsize").raw()).isEqualTo(":1\r\n");
    }
  }

  @Test
  void whatCameBeforeGarbageIsAnswered() {
    try (RespClient client = server.connect()) {
      client.sendBytes("SET a 1\r\nGET a\r\n*1\r\n!\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(client.read().raw()).isEqualTo("+OK\r\n");
      assertThat(client.read().raw()).isEqualTo("$1\r\n1\r\n");
      assertThat(client.read().raw()).startsWith("-ERR Protocol error: expected '$'");
      assertThat(client.ended()).isTrue();
    }
  }

  /** Otherwise a short request would make the server hold more than any request may send. */
  @Test
  void stringsGrowNoLongerThanAWordMayBe() {
    try (TestServer small =
            TestServer.start(
                "memory:",
                options ->
                    options.limits(
                        new ServerOptions.Limits(
                            10, Duration.ZERO, 8 << 20, 100, 1_000, ServerOptions.Bound.NONE)));
        RespClient client = small.connect()) {
      String refusal = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)\r\n";
      assertThat(client.reply("setrange", "k", "1000", "x").raw()).isEqualTo(refusal);
      assertThat(client.reply("setrange", "k", "999", "x").raw()).isEqualTo(":1000\r\n");
      assertThat(client.reply("append", "k", "x").raw()).isEqualTo(refusal);
      assertThat(client.reply("setbit", "b", "8000", "1").raw())
          .isEqualTo("-ERR bit offset is not an integer or out of range\r\n");
      assertThat(client.reply("setbit", "b", "7999", "1").raw()).isEqualTo(":0\r\n");
      assertThat(client.reply("config", "get", "proto-max-bulk-len").value())
          .asString()
          .contains("1000");
    }
  }

  @Test
  void whatComesBehindQuitIsNotExecuted() {
    try (RespClient client = server.connect();
        RespClient other = server.connect()) {
      client.sendBytes("SET a 1\r\nQUIT\r\nSET a 2\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(client.read().raw()).isEqualTo("+OK\r\n");
      assertThat(client.read().raw()).isEqualTo("+OK\r\n");
      assertThat(client.ended()).isTrue();
      assertThat(other.reply("get", "a").raw()).isEqualTo("$1\r\n1\r\n");
    }
  }

  /** More requests than may wait parsed: the rest continues when these are done. */
  @Test
  void aLongPipelineGoesOnAfterAPause() {
    int count = 20_000;
    try (RespClient operator = server.connect();
        RespClient client = server.connect()) {
      operator.reply("client", "pause", "60000", "write");
      client.sendBytes(
          "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\nb\r\n"
              .repeat(count)
              .getBytes(StandardCharsets.US_ASCII));
      while (!operator.reply("client", "list").raw().matches("(?s).* qbuf=[1-9].*")) {
        Thread.onSpinWait(); // until enough wait
      }

      operator.reply("client", "unpause");

      for (int i = 0; i < count; i++) {
        assertThat(client.read().raw()).isEqualTo("+OK\r\n");
      }
    }
  }

  @Test
  void aTransactionCannotEndTheServer() {
    try (RespClient client = server.connect()) {
      String refusal = "-ERR Command not allowed inside a transaction\r\n";
      client.reply("multi");
      assertThat(client.reply("save").raw()).isEqualTo(refusal);
      assertThat(client.reply("shutdown").raw()).isEqualTo(refusal);
      assertThat(client.reply("exec").raw()).startsWith("-EXECABORT");
      assertThat(client.reply("ping").raw()).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void halfARequestIsNotExecuted() {
    try (RespClient half = server.connect();
        RespClient other = server.connect()) {
      half.sendBytes("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$5\r\nab".getBytes(StandardCharsets.US_ASCII));
      assertThat(other.reply("exists", "a").raw()).isEqualTo(":0\r\n");

      half.sendBytes("cde\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(half.read().raw()).isEqualTo("+OK\r\n");
      assertThat(other.reply("get", "a").raw()).isEqualTo("$5\r\nabcde\r\n");
    }
  }

  /**
   * It may send all its requests before it reads a byte, as long as the replies fit into memory.
   */
  @Test
  void aClientMayReadLate() {
    try (RespClient client = server.connect()) {
      client.reply("set", "k", "x".repeat(20));
      int count = 50_000;
      byte[] request = "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n".getBytes(StandardCharsets.US_ASCII);
      byte[] all = new byte[request.length * count];
      for (int i = 0; i < count; i++) {
        System.arraycopy(request, 0, all, i * request.length, request.length);
      }

      client.sendBytes(all);

      for (int i = 0; i < count; i++) {
        assertThat(client.read().raw()).isEqualTo("$20\r\n" + "x".repeat(20) + "\r\n");
      }
    }
  }

  @Test
  void whoNeverReadsIsCutOffBeforeMemoryRunsOutAndOthersStay() {
    try (RespClient greedy = server.connect();
        RespClient other = server.connect()) {
      other.reply("set", "big", "x".repeat(1 << 20));
      List<byte[]> get =
          List.of(
              "get".getBytes(StandardCharsets.US_ASCII), "big".getBytes(StandardCharsets.US_ASCII));

      for (int i = 0; i < 10_000 && sent(greedy, get); i++) {
        // it does not read
      }
      while (server.log().isEmpty()) { // once it has had time enough, and others need the memory
        Reply reply = other.reply("set", "more", "x".repeat(1 << 20));
        assertThat(reply.raw()).matches("(?s)\\+OK.*|-OOM .*");
      }

      assertThat(server.log()).anyMatch(line -> line.contains("cut off client 127.0.0.1:"));
      assertThat(other.reply("strlen", "big").raw()).isEqualTo(":1048576\r\n");
    }
  }

  @Test
  void requestsThatTogetherExceedTheMemoryAreAnsweredAndNobodyIsCutOff() {
    int length = 2 << 20;
    byte[] half = "x".repeat(length / 2).getBytes(StandardCharsets.US_ASCII);
    List<RespClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        clients.add(server.connect());
      }
      for (RespClient each : clients) {
        each.sendBytes(
            "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$%d\r\n"
                .formatted(length)
                .getBytes(StandardCharsets.US_ASCII));
        each.sendBytes(half);
      }
      for (RespClient each : clients) {
        each.sendBytes(half);
        each.sendBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      List<String> replies =
          clients.stream().map(each -> each.read().raw().substring(0, 4)).toList();
      assertThat(replies).containsOnly("+OK\r", "-OOM");

      for (int i = 0; i < 20; i++) {
        clients.getFirst().send("get", "k"); // and reads late
      }
      for (int i = 0; i < 20; i++) {
        assertThat(clients.getFirst().read().raw()).matches("(?s)\\$2097152.*|-OOM .*");
      }
      for (RespClient each : clients) {
        assertThat(each.reply("ping").raw()).isEqualTo("+PONG\r\n");
      }
      assertThat(server.log()).isEmpty();
    } finally {
      clients.forEach(RespClient::close);
    }
  }

  /** What waits behind a waiting request, or for EXEC, or for ever, counts too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BLPOP nothing 0\r\n|*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100000\r\n%s\r\n",
        "MULTI\r\n|*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100000\r\n%s\r\n",
        "PING\r\n|*2\r\n$9\r\nSUBSCRIBE\r\n$100000\r\n%s\r\n",
        "PING\r\n|*2\r\n$5\r\nWATCH\r\n$100000\r\n%s\r\n",
      })
  void whoMakesTheServerKeepTooMuchIsCutOff(String requests) {
    String[] parts = requests.split("\\|");
    try (RespClient greedy = server.connect();
        RespClient other = server.connect()) {
      boolean waits = parts[0].startsWith("BLPOP");
      greedy.sendBytes(parts[0].getBytes(StandardCharsets.US_ASCII));
      if (!waits) {
        greedy.read();
      }

      boolean goesOn = true;
      for (int i = 0; i < 1_000 && goesOn; i++) {
        String value = "%06d".formatted(i).repeat(100_000).substring(0, 100_000);
        goesOn = sent(greedy, parts[1].formatted(value), !waits);
      }

      assertThat(goesOn).as("cut off").isFalse();
      assertThat(server.log()).anyMatch(line -> line.contains("cut off client 127.0.0.1:"));
      assertThat(other.reply("ping").raw()).isEqualTo("+PONG\r\n");
    }
  }

  private static boolean sent(RespClient client, String bytes, boolean isAnswered) {
    try {
      client.sendBytes(bytes.getBytes(StandardCharsets.US_ASCII));
      return !isAnswered || client.read().type() != 0;
    } catch (java.io.UncheckedIOException e) {
      return false; // cut off
    }
  }

  private static boolean sent(RespClient client, List<byte[]> request) {
    try {
      client.send(request);
      return true;
    } catch (java.io.UncheckedIOException e) {
      return false; // cut off
    }
  }
}
