package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions: what lasts. That replies are Redis' is DifferentialTest's. */
class FunctionsTest {
  private static final String LIBRARY =
      """
      #!lua name=lib
      local step = 1
      redis.register_function('add', function(k, a)
        step = step + 1
        return redis.call('incrby', k[1], step)
      end)
      redis.register_function{function_name='peek', flags={'no-writes'},
        callback=function(k, a) return redis.call('get', k[1]) end}
      redis.register_function('forever', function() while true do end end)
      """;

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:", "rocksdb:"})
  void librariesOutliveARestartAndFlushall(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      try (RespClient client = server.connect()) {
        assertThat(client.call("FUNCTION", "LOAD", LIBRARY)).isEqualTo("lib");
        assertThat(client.call("FCALL", "add", "1", "n")).isEqualTo(2L);
        client.call("SWAPDB", "0", "1");
        client.call("FLUSHALL");
      }

      server.restart();

      try (RespClient client = server.connect()) {
        assertThat(client.call("FCALL_RO", "peek", "1", "n")).isNull();
        assertThat(client.call("FCALL", "add", "1", "n")).isEqualTo(2L);
        assertThat(client.call("FCALL_RO", "peek", "1", "n")).isEqualTo("2");
        assertThat(client.reply("FCALL_RO", "add", "1", "n").isError()).isTrue();
        client.call("SCRIPT", "FLUSH");
        assertThat(client.call("FCALL", "add", "1", "n")).isEqualTo(4L);
        assertThat(client.call("FUNCTION", "DELETE", "lib")).isEqualTo("OK");
        assertThat(client.reply("FCALL", "add", "1", "n").isError()).isTrue();
      }
    }
  }

  @Test
  void dumpsAreRestoredHereAndByRedis() {
    try (TestServer server = TestServer.start();
        RespClient ours = server.connect();
        Oracle oracle = Oracle.start();
        RespClient theirs = oracle.connect()) {
      theirs.call("FUNCTION", "LOAD", LIBRARY);
      ours.call("FUNCTION", "LOAD", LIBRARY.replace("=lib", "=old"));

      for (String policy : List.of("FLUSH", "REPLACE")) {
        Reply dumped = theirs.reply("FUNCTION", "DUMP");
        assertThat(restore(ours, dumped, policy)).isEqualTo("OK");
        assertThat(ours.call("FCALL", "add", "1", policy)).isEqualTo(2L);
        assertThat(restore(theirs, ours.reply("FUNCTION", "DUMP"), policy)).isEqualTo("OK");
      }
      assertThat(restore(ours, theirs.reply("FUNCTION", "DUMP"), "APPEND"))
          .isEqualTo(restore(theirs, theirs.reply("FUNCTION", "DUMP"), "APPEND"));
      ours.call("FUNCTION", "FLUSH");
      assertThat(ours.call("FUNCTION", "LIST")).isEqualTo(List.of());
    }
  }

  private static String restore(RespClient client, Reply dumped, String policy) {
    byte[] payload = String.valueOf(dumped.text()).getBytes(StandardCharsets.ISO_8859_1);
    client.send(
        List.of(
            "FUNCTION".getBytes(StandardCharsets.US_ASCII),
            "RESTORE".getBytes(StandardCharsets.US_ASCII),
            payload,
            policy.getBytes(StandardCharsets.US_ASCII)));
    return String.valueOf(client.read().text());
  }

  @Test
  void aFunctionWithoutAnEndIsEndedByOthers() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect();
        RespClient other = server.connect()) {
      client.call("FUNCTION", "LOAD", LIBRARY);
      client.call("CONFIG", "SET", "busy-reply-threshold", "10");

      client.send("FCALL", "forever", "0");

      while (!other.reply("PING").raw().startsWith("-BUSY")) {
        Thread.onSpinWait();
      }
      assertThat(String.valueOf(other.call("FUNCTION", "STATS")))
          .contains("forever, command, [FCALL");
      assertThat(other.reply("SCRIPT", "KILL").raw()).startsWith("-BUSY ").contains("FUNCTION");
      assertThat(other.call("FUNCTION", "KILL")).isEqualTo("OK");
      assertThat(client.read().raw()).startsWith("-ERR ").contains("killed");
    }
  }
}
