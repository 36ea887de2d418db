package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.ServerOptions.Limits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BigStringTest {
  private static final int MEMORY = 16 << 20;

  /** Although a string may be as long, there is no memory for it. */
  @Test
  void whatMemoryHasNoRoomForIsRefusedWithAReasonAndTheConnectionGoesOn() {
    Limits limits = new Limits(10, Duration.ZERO, MEMORY, 10, 512 << 20, ServerOptions.Bound.NONE);
    try (TestServer server = TestServer.start("memory:", options -> options.limits(limits));
        RespClient client = server.connect();
        RespClient other = server.connect()) {
      String begin = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$" + (MEMORY + 1) + "\r\n";

      client.sendBytes(begin.getBytes(StandardCharsets.US_ASCII));
      client.sendBytes(new byte[MEMORY + 1]);
      client.sendBytes("\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(client.read().raw()).startsWith("-ERR ").contains("16 MB");
      assertThat(client.reply("exists", "a").raw()).isEqualTo(":0\r\n");
      assertThat(other.call("set", "a", "b")).isEqualTo("OK");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void aPartOfABigStringIsItsPart(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect()) {
      String string = "0123456789".repeat(300_000);
      client.call("set", "plain", string);
      client.call("set", "due", string, "px", "100000");
      client.call("lpush", "list", "a");

      for (String key : new String[] {"plain", "due"}) {
        assertThat(client.call("strlen", key)).isEqualTo(3_000_000L);
        assertThat(client.call("getrange", key, "1000003", "1000005")).isEqualTo("345");
        assertThat(client.call("getrange", key, "-2", "-1")).isEqualTo("89");
        assertThat(client.call("getrange", key, "5", "3")).isEqualTo("");
      }
      assertThat(client.call("strlen", "none")).isEqualTo(0L);
      assertThat(client.call("getrange", "none", "0", "-1")).isEqualTo("");
      assertThat(client.reply("strlen", "list").raw()).startsWith("-WRONGTYPE");
    }
  }
}
