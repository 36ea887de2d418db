package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that loop, recurse, allocate or write and fail harm nobody else. */
final class ScriptsTest {
  private static final String LOOP = "while true do end";

  /** Sends a script that does not end, and waits until others are refused. */
  private static void busy(RespClient looping, RespClient other, String script) {
    assertThat(other.call("CONFIG", "SET", "lua-time-limit", "1")).isEqualTo("OK");
    looping.send("EVAL", script, "1", "k");
    while (!other.reply("PING").isError()) {
      Thread.onSpinWait();
    }
  }

  private static void awaitPong(RespClient client) {
    while (client.reply("PING").isError()) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "rocksdb:"})
  void whileAScriptLoopsReadsGoOnAndItCanBeKilled(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient looping = server.connect();
        RespClient other = server.connect()) {
      // given
      other.call("SET", "k", "v");

      // when
      busy(looping, other, "while true do pcall(function() while true do end end) end");

      // then
      assertThat(other.call("GET", "k")).isEqualTo("v");
      assertThat((String) other.call("SET", "k", "w")).startsWith("-BUSY");
      assertThat((String) other.call("INFO")).startsWith("-BUSY");
      assertThat(other.call("SCRIPT", "KILL")).isEqualTo("OK");
      assertThat(looping.read().text()).contains("killed by user");
      awaitPong(other);
      assertThat(other.call("SET", "k", "w")).isEqualTo("OK");
      assertThat((String) other.call("SCRIPT", "KILL")).startsWith("-NOTBUSY");
    }
  }

  @Test
  void execIsRefusedWhileAScriptLoopsAndEndsItsBlock() {
    try (TestServer server = TestServer.start("memory:");
        RespClient looping = server.connect();
        RespClient other = server.connect();
        RespClient block = server.connect()) {
      // given
      block.call("MULTI");
      block.call("INCR", "n");
      busy(looping, other, LOOP);

      // when
      assertThat((String) block.call("EXEC")).startsWith("-EXECABORT").contains("BUSY");

      // then
      assertThat(other.call("SCRIPT", "KILL")).isEqualTo("OK");
      assertThat(looping.read().text()).contains("killed by user");
      awaitPong(block);
      assertThat(block.call("GET", "n")).isNull();
    }
  }

  @Test
  void aScriptThatHasWrittenEndsWithTheServerAndLeavesNothing() {
    try (TestServer server = TestServer.start("rocksdb:");
        RespClient looping = server.connect();
        RespClient other = server.connect()) {
      // given
      other.call("SET", "k", "before");
      busy(looping, other, "redis.call('SET', KEYS[1], 'half') " + LOOP);
      assertThat((String) other.call("SCRIPT", "KILL")).startsWith("-UNKILLABLE");

      // when
      server.restart();

      // then
      try (RespClient again = server.connect()) {
        assertThat(again.call("GET", "k")).isEqualTo("before");
      }
    }
  }

  @Test
  void scriptsThatOnlyReadHoldUpNobody() {
    try (TestServer server = TestServer.start("rocksdb:");
        RespClient looping = server.connect();
        RespClient other = server.connect()) {
      other.call("CONFIG", "SET", "lua-time-limit", "1");
      looping.send("EVAL_RO", LOOP, "0");

      Object killed = other.call("SCRIPT", "KILL");
      while (!"OK".equals(killed)) { // until it has begun
        assertThat(other.call("SET", "k", "v")).isEqualTo("OK");
        killed = other.call("SCRIPT", "KILL");
      }

      assertThat(looping.read().text()).contains("killed by user");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local function f(n) return f(n + 1) + 1 end f(1)",
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end"
            + " return t[1]",
        "return string.find(string.rep('a', 300000), string.rep('a?', 300000))",
        "return string.rep('x', 1e10)",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = string.rep('x', 1000000) .. #t end",
        "return cjson.decode(string.rep('[', 100000))",
        "return cmsgpack.unpack(string.rep('\\145', 100000))",
        "local t = {} for i = 1, 100 do t = {t} end return t",
        "return loadstring(string.rep('(', 10000))",
        "return redis.call('SET', KEYS[1])",
      })
  void whatAsksForTooMuchIsAnsweredAndTheServerGoesOn(String script) {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("SET", "k", "v");

      client.reply("EVAL", script, "1", "k");

      assertThat(client.call("GET", "k")).isEqualTo("v");
      assertThat(client.call("EVAL", "return redis.call('GET', KEYS[1])", "1", "k")).isEqualTo("v");
    }
  }

  @Test
  void sourcesTakeALimitedPartOfTheHeap() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      // given
      long max = Runtime.getRuntime().maxMemory() / 32;
      String large = "return 1 --" + "x".repeat(1 << 20);

      // when
      for (long sent = 0; sent <= max; sent += 1 << 20) {
        assertThat(client.call("EVAL", large + sent, "0")).isEqualTo(1L);
      }

      // then
      String info = String.valueOf(client.call("INFO", "memory"));
      String bytes = info.replaceFirst("(?s).*used_memory_scripts:(\\d+).*", "$1");
      assertThat(Long.parseLong(bytes)).isBetween(1L, max);
      assertThat(client.call("EVAL", large + 0, "0")).isEqualTo(1L);
    }
  }
}
