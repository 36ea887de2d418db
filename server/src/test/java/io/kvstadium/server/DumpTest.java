package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one server dumps, the other restores, in every format that Redis has had. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls what sets it
final class DumpTest {
  private static final String ZIPLIST = "1b0000001700000005000001610302626204c0000404f802fe80ff";

  private final TestServer server = TestServer.start();
  private final RespClient ours = server.connect();
  private Oracle oracle;
  private RespClient theirs;

  @BeforeAll
  void start() {
    oracle = Oracle.start();
    theirs = oracle.connect();
  }

  @AfterAll
  void stop() {
    ours.close();
    server.close();
    if (oracle != null) {
      theirs.close();
      oracle.close();
    }
  }

  @Test
  void dumpsOfRedisAreRestoredHereAndTheOtherWayRound() {
    // given every kind of value in Redis' small and large encodings
    String text = "compressible ".repeat(100);
    String long70 = "x".repeat(70);
    List<List<String>> made =
        List.of(
            List.of("SET", "s", "hello"),
            List.of("SET", "number", "-70000"),
            List.of("SET", "large", "5000000000"),
            List.of("SET", "packed", text),
            List.of("SETBIT", "fragments", "1000000", "1"),
            List.of("RPUSH", "list", "a", "1", "-5000", "70000", "5000000000", "-1234567890123"),
            List.of("RPUSH", "plain", "x".repeat(20_000), text, "5"),
            List.of("SADD", "integers", "1", "-2", "300"),
            List.of("SADD", "longs", "5000000000", "-1"),
            List.of("SADD", "texts", "a", "b", long70),
            List.of("HSET", "hash", "f", "v", "g", "100", "long", text),
            List.of("HSET", "small", "f", "v", "n", "8191", "m", "-4096", "o", "8388607"),
            List.of("ZADD", "zset", "1.5", "a", "-inf", "b", "3", "c"),
            List.of("ZADD", "zlong", "1e10", long70, "2", "b"),
            List.of("PFADD", "hll", "a", "b"),
            List.of("XADD", "stream", "301-0", "a", "1", "b", text));
    stream(theirs);

    for (List<String> each : made) {
      String key = each.get(1);
      theirs.call(each.toArray(String[]::new));

      // when
      Reply dumped = theirs.reply("DUMP", key);
      Reply restored = restore(ours, key, latin(dumped));
      Reply back = restore(theirs, key + "2", latin(ours.reply("DUMP", key)));

      // then
      assertThat(restored.text()).as(key).isEqualTo("OK");
      assertThat(back.text()).as(key).isEqualTo("OK");
      assertThat(contents(ours, key)).as(key).isEqualTo(contents(theirs, key));
      assertThat(contents(theirs, key + "2")).as(key).isEqualTo(contents(theirs, key));
    }
    assertThat(ours.reply("DUMP", "number").raw()).isEqualTo(theirs.reply("DUMP", "number").raw());
    assertThat(server.log()).isEmpty();
  }

  /** Bodies of payloads, in the formats of Redis 2 to 7, sound and broken. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "000568656c6c6f",
        "00c12c01",
        "0a1b" + ZIPLIST,
        "0e011b" + ZIPLIST,
        "0d11110000000d0000000200000166030176ff",
        "0c13130000000d000000020000016d0303312e35ff",
        "090701016601 0076ff",
        "0b0e0200000003000000ffff01000200",
        "0302016dfe016e03312e35",
        "0f011000000000000000010000000000000000c3404a40571657000000230002010401010184"
            + "6461746105000103010020010381610204200a0001400a0062600a0002400a0063600a402201"
            + "8164200a4039200a0065600a0005400a0066200a00ff02060002026731050004000000000000"
            + "000100000000000000003ef783437a01000001000000000000000200000000000000003ef783"
            + "437a01000001000000000000000400000000000000003ef783437a0100000100000000000000"
            + "0500000000000000003ef783437a0100000101036331313ef783437a01000004000000000000"
            + "0001000000000000000000000000000000020000000000000000000000000000000400000000"
            + "000000000000000000000005000000000000000002673200000000",
        "630161"
      })
  void olderFormsAreReadAsRedisReadsThem(String hex) {
    // given
    byte[] payload = payload(HexFormat.of().parseHex(hex.replace(" ", "")));
    ours.call("DEL", "old");
    theirs.call("DEL", "old");

    // when
    Reply reply = restore(ours, "old", payload);
    Reply expected = restore(theirs, "old", payload);

    // then
    assertThat(reply.raw()).isEqualTo(expected.raw());
    assertThat(contents(ours, "old")).isEqualTo(contents(theirs, "old"));
  }

  /** In which a consumer has one more time. */
  @Test
  void streamsOfRedis72AreRead() {
    // given
    ours.call("XADD", "recent", "1-1", "a", "b");
    ours.call("XGROUP", "CREATE", "recent", "g", "0");
    ours.call("XGROUP", "CREATECONSUMER", "recent", "g", "c");
    String before = contents(ours, "recent");
    byte[] body = body(latin(ours.reply("DUMP", "recent")));

    // when
    byte[] newer = Arrays.copyOf(body, body.length + 8); // the last byte was, and is, 0
    newer[0] = 21;
    Reply restored = restore(ours, "recent2", payload(newer));

    // then
    assertThat(restored.text()).isEqualTo("OK");
    assertThat(contents(ours, "recent2")).isEqualTo(before);
  }

  /** As Redis 7.4 and what came shortly before it wrote them: a expires, c does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "16 02 81000003bb2cc3d800 0161 0162 00 0163 0164",
        "17 1f 1f0000000600816102816202f400d8c32cbb030000098163028164020001ff",
        "18 00d8c32cbb030000 02 01 0161 0162 00 0163 0164",
        "19 00d8c32cbb030000 1f 1f0000000600816102816202f400d8c32cbb030000098163028164020001ff"
      })
  void hashesWithFieldsThatExpireAreRead(String hex) {
    byte[] payload = payload(HexFormat.of().parseHex(hex.replace(" ", "")));

    Reply restored = restore(ours, payload, List.of("0", "REPLACE"));

    assertThat(restored.text()).isEqualTo("OK");
    assertThat(ours.call("HGETALL", "r")).hasToString("[a, b, c, d]");
    assertThat(ours.call("HPEXPIRETIME", "r", "FIELDS", "2", "a", "c"))
        .hasToString("[4102444800000, -1]");
    assertThat(body(latin(ours.reply("DUMP", "r"))))
        .isEqualTo(HexFormat.of().parseHex("1800d8c32cbb0300000201016101620001630164"));
  }

  /** A field that is due is left out, and a hash without others is not made. */
  @Test
  void whatIsDueIsNotRestored() {
    byte[] due = payload(HexFormat.of().parseHex("180100000000000000" + "01" + "01" + "01610162"));

    assertThat(restore(ours, due, List.of("0", "REPLACE")).text()).isEqualTo("OK");

    assertThat(ours.call("EXISTS", "r")).isEqualTo(0L);
  }

  @Test
  void optionsAndMistakesAreAnsweredAsByRedis() {
    // given
    byte[] hello = payload(HexFormat.of().parseHex("000568656c6c6f"));
    byte[] wrong = hello.clone();
    wrong[3]++;
    List<List<String>> options =
        List.of(
            List.of("0"),
            List.of("0"),
            List.of("0", "REPLACE"),
            List.of("-1", "REPLACE"),
            List.of("x", "REPLACE"),
            List.of("4102444800000", "REPLACE", "ABSTTL"),
            List.of("1000", "REPLACE", "ABSTTL"),
            List.of("0", "IDLETIME", "5"),
            List.of("0", "IDLETIME", "-1", "REPLACE"),
            List.of("0", "IDLETIME"),
            List.of("0", "FREQ", "300", "REPLACE"),
            List.of("0", "FREQ", "5", "REPLACE"),
            List.of("0", "FOO"));
    ours.call("DEL", "r");
    theirs.call("DEL", "r");

    for (byte[] payload : List.of(hello, wrong, new byte[0], new byte[] {1, 2, 3})) {
      for (List<String> each : options) {
        // when
        Reply reply = restore(ours, payload, each);
        Reply expected = restore(theirs, payload, each);

        // then
        assertThat(reply.raw()).as(each.toString()).isEqualTo(expected.raw());
        assertThat(ours.call("PEXPIRETIME", "r")).isEqualTo(theirs.call("PEXPIRETIME", "r"));
      }
    }
  }

  /** Whatever a payload holds, the answer is a reply, and nothing else is harmed. */
  @Test
  void damagedPayloadsAreRefused() {
    // given
    Random random = new Random(1);
    List<byte[]> bodies = new ArrayList<>();
    for (String hex : List.of("0a1b" + ZIPLIST, "0b0e0200000003000000ffff01000200")) {
      bodies.add(HexFormat.of().parseHex(hex));
    }
    theirs.call("DEL", "seed");
    theirs.call("HSET", "seed", "field", "v".repeat(300), "n", "123456", "m", "-5");
    bodies.add(body(latin(theirs.reply("DUMP", "seed"))));
    theirs.call("RPUSH", "seeds", "a", "b".repeat(100), "70000");
    bodies.add(body(latin(theirs.reply("DUMP", "seeds"))));
    bodies.add(HexFormat.of().parseHex("1800d8c32cbb0300000201016101620001630164"));
    stream(theirs);
    theirs.call("XTRIM", "stream", "MAXLEN", "20");
    bodies.add(body(latin(theirs.reply("DUMP", "stream"))));

    // when
    for (int i = 0; i < 2_000; i++) {
      byte[] body = bodies.get(random.nextInt(bodies.size())).clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      Reply reply = restore(ours, payload(body), List.of("0", "REPLACE"));

      // then
      assertThat(reply.type()).isIn('+', '-');
      assertThat(reply.text()).doesNotContain("internal");
    }
    assertThat(server.log()).isEmpty();
  }

  private static Reply restore(RespClient client, String key, byte[] payload) {
    client.send(List.of(utf8("RESTORE"), utf8(key), utf8("0"), payload));
    return client.read();
  }

  private static Reply restore(RespClient client, byte[] payload, List<String> options) {
    List<byte[]> words = new ArrayList<>(List.of(utf8("RESTORE"), utf8("r")));
    words.add(utf8(options.getFirst()));
    words.add(payload);
    options.subList(1, options.size()).forEach(each -> words.add(utf8(each)));
    client.send(words);
    return client.read();
  }

  /** A stream with what a dump of one can hold: several packs, gaps, and a group. */
  static void stream(RespClient redis) {
    redis.call("DEL", "stream");
    redis.call("XADD", "stream", "1-1", "a", "-70000", "b", "x".repeat(5_000));
    for (int i = 2; i < 250; i++) {
      redis.call("XADD", "stream", i + "-0", i % 7 == 0 ? "other" : "a", "v" + i);
    }
    redis.call("XADD", "stream", "300-18446744073709551615", "a", "5000000000", "a", "");
    redis.call("XDEL", "stream", "3-0", "300-18446744073709551615");
    redis.call("XGROUP", "CREATE", "stream", "new", "$");
    redis.call("XGROUP", "CREATE", "stream", "group", "0");
    redis.call("XREADGROUP", "GROUP", "group", "one", "COUNT", "30", "STREAMS", "stream", ">");
    redis.call("XREADGROUP", "GROUP", "group", "two", "COUNT", "3", "STREAMS", "stream", ">");
    redis.call("XGROUP", "CREATECONSUMER", "stream", "group", "idle");
    redis.call("XACK", "stream", "group", "2-0");
  }

  /** What a key holds, in a form that does not depend on a server's order. */
  static String contents(RespClient client, String key) {
    return switch (String.valueOf(client.call("TYPE", key))) {
      case "string" -> client.reply("GET", key).raw();
      case "list" -> client.reply("LRANGE", key, "0", "-1").raw();
      case "set" -> client.reply("SORT", key, "ALPHA").raw();
      case "hash" ->
          client.reply("HGETALL", key).parts().stream()
              .map(Reply::raw)
              .sorted()
              .toList()
              .toString();
      case "zset" -> client.reply("ZRANGE", key, "0", "-1", "WITHSCORES").raw();
      case "stream" -> client.reply("XRANGE", key, "-", "+").raw() + groups(client, key);
      default -> "none";
    };
  }

  /** All but how Redis keeps the entries. */
  private static String groups(RespClient client, String key) {
    List<Reply> info = client.reply("XINFO", "STREAM", key, "FULL", "COUNT", "0").parts();
    return client.reply("XINFO", "GROUPS", key).raw()
        + info.subList(6, info.size()).stream().map(Reply::raw).toList();
  }

  private static byte[] utf8(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] latin(Reply reply) {
    return String.valueOf(reply.text()).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] body(byte[] payload) {
    return Arrays.copyOf(payload, payload.length - 10);
  }

  /** With the version and the checksum of Redis 7.0. */
  private static byte[] payload(byte[] body) {
    ByteBuffer out = ByteBuffer.allocate(body.length + 10).order(ByteOrder.LITTLE_ENDIAN);
    out.put(body).putShort((short) 10);
    long crc = 0;
    for (int i = 0; i < body.length + 2; i++) {
      crc ^= out.get(i) & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ 0x95ac9329ac4bc9b5L;
      }
    }
    return out.putLong(crc).array();
  }
}
