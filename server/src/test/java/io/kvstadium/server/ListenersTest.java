package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients are notified of without asking at that time. */
final class ListenersTest {
  private final TestServer server = TestServer.start("rocksdb:");
  private final RespClient one = server.connect();
  private final RespClient other = server.connect();

  @BeforeEach
  void connected() {
    one.call("PING");
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
    server.close();
  }

  @Test
  void whatExpiresIsToldOnce() {
    // given
    one.call("CONFIG", "SET", "notify-keyspace-events", "Ex");
    one.call("SELECT", "4");
    other.call("SUBSCRIBE", "__keyevent@4__:expired");

    // when
    one.call("SET", "key", "value", "PX", "1");
    one.call("SET", "later", "value", "PX", "30");

    // then
    assertThat(other.read().value()).isEqualTo(List.of("message", "__keyevent@4__:expired", "key"));
    assertThat(other.read().value())
        .isEqualTo(List.of("message", "__keyevent@4__:expired", "later"));
  }

  @Test
  void invalidationsAreRedirectedToAClientOfRespTwo() {
    // given
    String id = String.valueOf(other.call("CLIENT", "ID"));
    other.call("SUBSCRIBE", "__redis__:invalidate");
    one.call("CLIENT", "TRACKING", "ON", "REDIRECT", id);
    one.call("GET", "key");

    // when
    one.call("SET", "key", "value");
    one.call("GET", "key");
    one.call("FLUSHDB");

    // then
    assertThat(other.read().value())
        .isEqualTo(List.of("message", "__redis__:invalidate", List.of("key")));
    assertThat(other.read().raw())
        .isEqualTo("*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n$-1\r\n");
    assertThat(one.call("CLIENT", "GETREDIR")).isEqualTo(Long.valueOf(id));
  }

  @Test
  void aScriptThatReadsIsToldOfTheKeysItDeclared() {
    // given
    one.protocol(3);
    one.call("CLIENT", "TRACKING", "ON");

    // when
    one.call("EVAL", "redis.call('set', 'c', 1)", "1", "a");
    one.call("EVAL_RO", "redis.call('ping')", "1", "a");
    one.call("EVAL", "redis.call('get', 'c')", "1", "b");
    other.call("MSET", "a", "1", "c", "1", "b", "1");

    // then
    assertThat(one.read().value()).isEqualTo(List.of("invalidate", List.of("b")));
    assertThat(one.call("PING")).isEqualTo("PONG");
  }

  @Test
  void readersOfTooManyKeysAreToldOfTheOldest() {
    // given
    one.protocol(3);
    one.call("CONFIG", "SET", "tracking-table-max-keys", "2");
    one.call("CLIENT", "TRACKING", "ON");

    // when
    one.call("MGET", "a", "b");
    one.call("GET", "c");

    // then
    assertThat(one.read().value()).isEqualTo(List.of("invalidate", List.of("a")));
    assertThat(one.call("CONFIG", "GET", "tracking-table-max-keys"))
        .isEqualTo(List.of("tracking-table-max-keys", "2"));
    assertThat(String.valueOf(one.call("INFO", "stats")))
        .contains("tracking_total_keys:2", "tracking_total_items:2", "tracking_total_prefixes:0");

    // when
    one.send("CONFIG", "SET", "tracking-table-max-keys", "1");

    // then
    assertThat(List.of(one.read(), one.read()))
        .extracting(Reply::value)
        .contains("OK", List.of("invalidate", List.of("b")));
  }

  @Test
  void readersOfTooLongKeysAreToldOfTheOldest() {
    // given
    one.protocol(3);
    one.call("CLIENT", "TRACKING", "ON");
    String oldest = "a".repeat(1 << 20);

    // when
    one.call("GET", oldest);
    for (int i = 1; i <= 64; i++) {
      one.call("GET", "%02d".formatted(i) + "b".repeat((1 << 20) - 2));
    }

    // then
    assertThat(one.read().value()).isEqualTo(List.of("invalidate", List.of(oldest)));
  }

  @Test
  void whoRedirectsToSomebodyGoneIsTold() {
    // given
    one.protocol(3);
    String id = String.valueOf(other.call("CLIENT", "ID"));
    one.call("CLIENT", "TRACKING", "ON", "REDIRECT", id);
    one.call("GET", "key");
    other.close();
    RespClient third = server.connect();
    while (String.valueOf(third.call("CLIENT", "LIST")).contains("id=" + id + " ")) {
      Thread.onSpinWait();
    }

    // when
    third.call("SET", "key", "value");

    // then
    assertThat(one.read().value()).isEqualTo(List.of("tracking-redir-broken", Long.valueOf(id)));
    assertThat(String.valueOf(one.call("CLIENT", "INFO"))).contains("flags=tR");
    third.close();
  }

  /** Every copy that a client has read is reported once it is old, and not before it arrives. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "MGET"})
  void aCacheNeverStaysBehind(String command) throws Exception {
    // given a writer and a reader at the same time
    one.protocol(3);
    one.call("CLIENT", "TRACKING", "ON");
    AtomicBoolean ends = new AtomicBoolean();
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 1; !ends.get(); i++) {
                other.call("SET", "key", Integer.toString(i));
              }
            });

    // when it reads again whenever it is notified that its copy is old
    for (int i = 0; i < 1_000; i++) {
      Reply reply = one.reply(command, "key");
      Reply message = one.read();

      // then
      assertThat(reply.type()).isNotEqualTo('>');
      assertThat(message.value()).isEqualTo(List.of("invalidate", List.of("key")));
    }
    ends.set(true);
    writer.join();
  }

  @Test
  void aMonitorSeesEveryRequestButNoPassword() {
    // given
    assertThat(other.call("MONITOR")).isEqualTo("OK");

    // when
    one.call("SET", "key", "a \"b\"\n\u0001");
    one.call("AUTH", "default", "secret");
    one.call("HELLO", "3", "AUTH", "default", "secret");
    one.call("CONFIG", "GET", "save");
    one.call("MULTI");
    one.call("GET", "key");
    one.call("EXEC");
    one.reply("EVALSHA", "0".repeat(40), "0");
    one.reply("EVAL", "no Lua", "0");
    one.call("EVAL", "return redis.call('GET', 'key')", "0");

    // then
    assertThat(other.read().text())
        .matches(
            "\\d+\\.\\d{6} \\[0 127\\.0\\.0\\.1:\\d+] \"SET\" \"key\" \"a \\\\\"b\\\\\"\\\\n\\\\x01\"");
    assertThat(other.read().text()).endsWith("\"AUTH\" \"(redacted)\" \"(redacted)\"");
    assertThat(other.read().text())
        .endsWith("\"HELLO\" \"3\" \"AUTH\" \"(redacted)\" \"(redacted)\"");
    assertThat(other.read().text()).endsWith("\"MULTI\"");
    assertThat(other.read().text()).endsWith("\"GET\" \"key\"");
    assertThat(other.read().text()).endsWith("\"EXEC\"");
    assertThat(other.read().text()).contains("\"EVALSHA\"");
    assertThat(other.read().text()).contains("\"no Lua\"");
    assertThat(other.read().text()).contains("\"EVAL\"");
    assertThat(other.read().text()).endsWith("lua] \"GET\" \"key\"");
    assertThat(other.call("RESET")).isEqualTo("RESET");
  }

  @Test
  void aPauseHoldsWritesAndReadsGoOn() {
    // given
    one.call("SET", "key", "before");
    assertThat(one.call("CLIENT", "PAUSE", "1000000", "WRITE")).isEqualTo("OK");

    RespClient third = server.connect();

    // when
    other.send("SET", "key", "after");
    other.send("GET", "key");
    third.send("EVAL", "return redis.call('SET', KEYS[1], 'scripted')", "1", "other");

    // then
    assertThat(one.call("GET", "key")).isEqualTo("before");
    assertThat(one.call("GET", "other")).isNull();
    assertThat(one.call("CLIENT", "UNPAUSE")).isEqualTo("OK");
    assertThat(third.read().value()).isEqualTo("OK");
    third.close();
    assertThat(other.read().value()).isEqualTo("OK");
    assertThat(other.read().value()).isEqualTo("after");
  }

  @Test
  void aPauseHoldsWhatCameWithItAndLetsErrorsPass() {
    // when
    one.send("CLIENT", "PAUSE", "1000000", "WRITE");
    assertThat(one.read().value()).isEqualTo("OK");
    other.sendBytes(
        "CLIENT PAUSE 1000000 WRITE\r\nSET key\r\nGET key\r\nSET key value\r\n"
            .getBytes(StandardCharsets.UTF_8));

    // then
    assertThat(other.read().value()).isEqualTo("OK");
    assertThat(other.read().raw()).startsWith("-ERR wrong number of arguments for 'set'");
    assertThat(other.read().raw()).isEqualTo("$-1\r\n");
    while (!String.valueOf(one.call("INFO", "clients")).contains("blocked_clients:1")) {
      Thread.onSpinWait();
    }
    assertThat(one.call("GET", "key")).isNull();
    assertThat(one.call("CLIENT", "UNPAUSE")).isEqualTo("OK");
    assertThat(other.read().value()).isEqualTo("OK");
    assertThat(String.valueOf(one.call("INFO", "clients"))).contains("blocked_clients:0");
  }

  @Test
  void aPauseOfAllEndsByItself() {
    // when
    one.call("CLIENT", "PAUSE", "30");

    // then
    assertThat(one.call("PING")).isEqualTo("PONG");
    assertThat(one.call("CLIENT", "PAUSE", "-1")).isEqualTo("-ERR timeout is negative");
    assertThat(one.call("CLIENT", "PAUSE", "x"))
        .isEqualTo("-ERR timeout is not an integer or out of range");
    assertThat(one.call("CLIENT", "PAUSE", "1", "x"))
        .isEqualTo("-ERR CLIENT PAUSE mode must be WRITE or ALL");
  }

  @Test
  void swappedDatabasesStaySwapped() {
    // given
    one.call("SET", "key", "in 0");
    one.call("SWAPDB", "0", "3");

    // when
    server.restart();

    // then
    try (RespClient again = server.connect()) {
      assertThat(again.call("DBSIZE")).isEqualTo(0L);
      again.call("SELECT", "3");
      assertThat(again.call("GET", "key")).isEqualTo("in 0");
      again.call("FLUSHALL");
      again.call("SET", "key", "in 3");
      again.call("SELECT", "0");
      assertThat(again.call("EXISTS", "key")).isEqualTo(0L);
    }
  }
}
