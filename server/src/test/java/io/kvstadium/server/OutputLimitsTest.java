package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that do not read what is sent to them. */
class OutputLimitsTest {
  private static final String LIMIT = "client-output-buffer-limit";

  private static final String MESSAGE = "x".repeat(100_000);

  /** More than what the sockets of both sides take. */
  private static final int ENOUGH = 1_000;

  /** At once, or after the shortest time that can be set: more than 0 seconds. */
  @ParameterizedTest
  @ValueSource(strings = {"pubsub 1mb 0 0", "pubsub 0 1mb 0"})
  void aSubscriberThatDoesNotReadIsCutOff(String limit) {
    try (TestServer server = TestServer.start();
        RespClient subscriber = server.connect();
        RespClient client = server.connect()) {
      client.call("config", "set", LIMIT, limit);
      subscriber.call("subscribe", "news");

      int sent = 0;
      while (sent < ENOUGH && client.call("publish", "news", MESSAGE).equals(1L)) {
        sent++;
      }

      assertThat(sent).isBetween(10, ENOUGH - 1);
      assertThat(server.log()).anySatisfy(line -> assertThat(line).contains(LIMIT));
    }
  }

  @Test
  void whoDoesNotReadRepliesOrMonitorsIsCutOffOnlyAtALimit() {
    try (TestServer server = TestServer.start();
        RespClient monitor = server.connect();
        RespClient reader = server.connect();
        RespClient client = server.connect()) {
      client.call("set", "a", MESSAGE);
      monitor.call("monitor");
      for (int i = 0; i < ENOUGH; i++) {
        reader.send("get", "a");
      }
      while (!isAnyFull(client)) {
        Thread.onSpinWait();
      }

      client.call("config", "set", LIMIT, "normal 1mb 0 0");
      reader.send("get", "a"); // with which its limit is looked at
      for (int i = 0; i < ENOUGH && isAnyFull(client); i++) {
        client.call("set", "b", MESSAGE); // which is shown to the monitor
      }

      assertThat(isAnyFull(client)).isFalse();
      assertThat(String.valueOf(client.call("config", "get", LIMIT)))
          .contains("normal 1048576 0 0");
      assertThat(server.log()).anySatisfy(line -> assertThat(line).contains(LIMIT));
    }
  }

  private static boolean isAnyFull(RespClient client) {
    return String.valueOf(client.call("client", "list")).lines().anyMatch(OutputLimitsTest::isFull);
  }

  private static boolean isFull(String line) {
    return Long.parseLong(line.replaceFirst(".* omem=(\\d+) .*", "$1")) > 2 << 20;
  }
}
