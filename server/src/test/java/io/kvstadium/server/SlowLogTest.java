package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlowLogTest {
  @Test
  void holdsTheLatestSlowRequestsWithoutPasswords() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      assertThat(
              client.call("config", "set", "slowlog-log-slower-than", "0", "slowlog-max-len", "2"))
          .isEqualTo("OK");
      client.call("acl", "setuser", "x", ">secret");
      client.call("set", "a", "x".repeat(200));
      client.call("get", "a");
      client.call("get", "b");

      List<?> log = (List<?>) client.call("slowlog", "get");

      assertThat(log).hasSize(2);
      assertThat(log.getFirst().toString()).contains("[get, b]").doesNotContain("secret");
      assertThat(client.call("config", "set", "slowlog-log-slower-than", "-1")).isEqualTo("OK");
      assertThat(client.call("slowlog", "reset")).isEqualTo("OK");
      client.call("get", "a");
      assertThat(client.call("slowlog", "len")).isEqualTo(0L);
      assertThat(client.call("config", "set", "nosuch", "1").toString())
          .startsWith("-ERR Unknown option");
    }
  }
}
