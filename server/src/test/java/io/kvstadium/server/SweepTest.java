package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SweepTest {
  /** A key that is due and whose value is not in the server's form. */
  @Test
  void aDamagedEntryIsToldOfAndFailsNobodysWrites() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("set", "a", "1", "px", "1500");
      server.store().table("db0").put("ka".getBytes(StandardCharsets.US_ASCII), new byte[] {7});

      while (server.log().isEmpty()) {
        assertThat(client.call("incr", "n")).isInstanceOf(Long.class);
      }

      assertThat(server.log()).first().asString().contains("not in the form of this server's");
      assertThat(client.call("set", "b", "1")).isEqualTo("OK");
      assertThat(client.call("get", "a").toString()).startsWith("-ERR a value is not in the form");
    }
  }
}
