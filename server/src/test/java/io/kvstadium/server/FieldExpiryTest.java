package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that expire, as Redis 7.4 describes them and its own tests have it. */
class FieldExpiryTest {
  private static final String FUTURE = "4102444800000";

  private static String reply(RespClient client, String request) {
    return String.valueOf(client.call(request.split(" ")));
  }

  /** Of a hash with a to d, of which c expires in {@link #FUTURE} and d a second later. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HEXPIRE h 100 FIELDS 2 a x | [1, -2]",
        "HPEXPIRE h 100000 NX FIELDS 2 a c | [1, 0]",
        "HPEXPIRE h 100000 XX FIELDS 2 a c | [0, 1]",
        "HPEXPIREAT h 4102444800500 GT FIELDS 3 a c d | [0, 1, 0]",
        "HPEXPIREAT h 4102444800500 LT FIELDS 3 a c d | [1, 0, 1]",
        "HEXPIREAT h 1 NX FIELDS 4 a b x c | [2, 2, -2, 0]",
        "HEXPIRE h 0 FIELDS 1 a | [2]",
        "HEXPIRE none 10 FIELDS 2 a b | [-2, -2]",
        "HEXPIRE s 10 FIELDS 1 a | -WRONGTYPE",
        "HEXPIRE h -1 FIELDS 1 a | -ERR invalid expire time, must be >= 0",
        "HEXPIRE h x FIELDS 1 a | -ERR value is not an integer or out of range",
        "HEXPIRE h 9223372036854775807 FIELDS 1 a | -ERR invalid expire time in 'hexpire' command",
        "HPEXPIREAT h 70368744177664 FIELDS 1 a | -ERR invalid expire time in 'hpexpireat' command",
        "HPEXPIREAT h 70368744177663 FIELDS 1 a | [1]",
        "HEXPIRE h 1 NX XX FIELDS 1 a | -ERR Mandatory argument FIELDS is missing",
        "HEXPIRE h 1 FIELDS 0 a | -ERR Parameter `numFields` should be greater than 0",
        "HEXPIRE h 1 FIELDS x a | -ERR Parameter `numFields` should be greater than 0",
        "HEXPIRE h 1 FIELDS 2 a | -ERR The `numfields` parameter must match the number of arguments",
        "HEXPIRE h 1 FIELDS 1 a b | -ERR The `numfields` parameter must match",
        "HEXPIRE h 1 FIELDS 1 | -ERR wrong number of arguments for 'hexpire' command",
        "HPEXPIRETIME h FIELDS 4 a c d x | [-1, 4102444800000, 4102444801000, -2]",
        "HEXPIRETIME h FIELDS 2 c d | [4102444800, 4102444801]",
        "HPEXPIRETIME none FIELDS 1 a | [-2]",
        "HTTL s FIELDS 1 a | -WRONGTYPE",
        "HTTL h FIELDS 0 a | -ERR Number of fields must be a positive integer",
        "HTTL h FELDS 1 a | -ERR Mandatory argument FIELDS is missing",
        "HPERSIST h FIELDS 3 a c x | [-1, 1, -2]",
        "HPERSIST h FIELDS 2 a | -ERR The `numfields` parameter must match",
      })
  void fieldsAreAnsweredOneByOne(String request, String expected) {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("HSET", "h", "a", "1", "b", "2", "c", "3", "d", "4");
      client.call("HPEXPIREAT", "h", FUTURE, "FIELDS", "1", "c");
      client.call("HPEXPIREAT", "h", "4102444801000", "FIELDS", "1", "d");
      client.call("SET", "s", "x");

      assertThat(reply(client, request)).startsWith(expected);
    }
  }

  @Test
  void aTimeToLiveIsRoundedUp() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("HSET", "h", "a", "1");
      client.call("HPEXPIRE", "h", "99999", "FIELDS", "1", "a");

      assertThat(reply(client, "HTTL h FIELDS 1 a")).isEqualTo("[100]");
      assertThat((Long) ((List<?>) client.call("HPTTL", "h", "FIELDS", "1", "a")).getFirst())
          .isBetween(1L, 99_999L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "lmdb:", "rocksdb:"})
  void aFieldThatIsDueIsGoneAndALastOneTakesItsKeyAlong(String engine) {
    try (TestServer server = TestServer.start(engine);
        RespClient client = server.connect();
        RespClient listener = server.connect()) {
      // given
      client.call("CONFIG", "SET", "notify-keyspace-events", "Khg");
      listener.call("PSUBSCRIBE", "__keyspace@0__:*");
      client.call("HSET", "h", "a", "1", "b", "2", "c", "3");
      client.call("HSET", "last", "a", "1");
      client.call("HPEXPIRE", "h", "20", "FIELDS", "2", "a", "b");
      client.call("HPEXPIRE", "last", "20", "FIELDS", "1", "a");

      // when
      while (!reply(client, "HTTL h FIELDS 1 a").equals("[-2]")) {
        Thread.onSpinWait();
      }

      // then
      assertThat(reply(client, "HGETALL h")).isEqualTo("[c, 3]");
      assertThat(reply(client, "HMGET h a b c")).isEqualTo("[null, null, 3]");
      assertThat(client.call("HLEN", "h")).isEqualTo(1L);
      assertThat(client.call("HEXISTS", "h", "a")).isEqualTo(0L);
      assertThat(client.call("HRANDFIELD", "h")).isEqualTo("c");
      assertThat(client.call("HDEL", "h", "a")).isEqualTo(0L);
      assertThat(client.call("HSET", "h", "b", "new")).isEqualTo(1L);
      assertThat(reply(client, "HTTL h FIELDS 1 b")).isEqualTo("[-1]");
      assertThat(client.call("HGETALL", "h")).isEqualTo(List.of("b", "new", "c", "3"));
      while (!client.call("EXISTS", "last").equals(0L)) {
        Thread.onSpinWait();
      }
      client.call("HSET", "past", "f", "v");
      client.call("HPEXPIRE", "past", "0", "FIELDS", "1", "f");
      Set<String> events = new HashSet<>();
      while (!events.contains("past del")) {
        List<?> message = (List<?>) listener.read().value();
        events.add(message.get(2).toString().substring(15) + " " + message.get(3));
      }
      assertThat(events)
          .contains("h hset", "h hexpire", "h hexpired", "last hexpired", "last del", "past hdel")
          .doesNotContain("last expired", "past hexpire");
      client.call("DEL", "h");
      Set<Byte> left = Set.of((byte) 'x');
      while (!left.equals(Set.of((byte) 'm'))) {
        left = beginnings(server);
      }
    }
  }

  private static Set<Byte> beginnings(TestServer server) {
    Set<Byte> found = new HashSet<>();
    try (Cursor<byte[], byte[]> all = server.store().table("db0").scan(Range.all())) {
      while (all.next()) {
        found.add(all.key()[0]);
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb:", "rocksdb:"})
  void timesStayWithTheirFieldsWhereTheyGo(String engine) {
    try (TestServer server = TestServer.start(engine)) {
      try (RespClient client = server.connect()) {
        client.call("HSET", "h", "a", "1", "b", "2", "c", "3", "d", "4");
        client.call("HPEXPIREAT", "h", FUTURE, "FIELDS", "3", "a", "b", "c");
        client.call("HSET", "h", "a", "5");
        client.call("HINCRBY", "h", "b", "5");
        client.call("HDEL", "h", "c");
        client.call("HSET", "h", "c", "6");
        client.call("COPY", "h", "copied");
        client.call("COPY", "h", "moved");
        client.call("MOVE", "moved", "1");
        byte[] dumped =
            String.valueOf(client.reply("DUMP", "h").text()).getBytes(StandardCharsets.ISO_8859_1);
        client.send(List.of(bytes("RESTORE"), bytes("restored"), bytes("0"), dumped));
        assertThat(client.read().text()).isEqualTo("OK");
        client.call("RENAME", "h", "renamed");
        client.call("EXPIRE", "copied", "1000");
        client.call("PERSIST", "copied");
      }
      server.restart();
      try (RespClient client = server.connect()) {
        for (String key : List.of("copied", "restored", "renamed", "moved")) {
          client.call("SELECT", key.equals("moved") ? "1" : "0");
          assertThat(reply(client, "HPEXPIRETIME " + key + " FIELDS 4 a b c d"))
              .as(key)
              .isEqualTo("[-1, " + FUTURE + ", -1, -1]");
          assertThat(pairs(client, key)).as(key).hasToString("{a=5, b=7, c=6, d=4}");
        }
      }
    }
  }

  private static Map<Object, Object> pairs(RespClient client, String key) {
    List<?> all = (List<?>) client.call("HGETALL", key);
    Map<Object, Object> pairs = new TreeMap<>();
    for (int i = 0; i < all.size(); i += 2) {
      pairs.put(all.get(i), all.get(i + 1));
    }
    return pairs;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
