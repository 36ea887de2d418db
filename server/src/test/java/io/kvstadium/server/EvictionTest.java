package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.ServerOptions.Bound;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import io.kvstadium.testsupport.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The databases stay below a size, and what is of least use gives way. */
final class EvictionTest {
  private static final int BOUND = 100_000;
  private static final int MORE_THAN_FIT = 10_000;
  private static final String VALUE = "v".repeat(100);

  private static TestServer start(String engine, int bytes, String policy) {
    return TestServer.start(
        engine, options -> options.limits(options.limits().bound(new Bound(bytes, policy))));
  }

  private static long info(RespClient client, String name) {
    return String.valueOf(client.call("INFO"))
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** The bytes of all keys and values in the store, but for what describes the database. */
  private static long stored(TestServer server) {
    long bytes = 0;
    for (String each : server.store().tables()) {
      Table<byte[], byte[]> table = server.store().table(each);
      try (Cursor<byte[], byte[]> all = table.scan(Range.all())) {
        while (all.next()) {
          bytes += all.key()[0] == 'm' ? 0 : all.key().length + all.value().length;
        }
      }
    }
    return bytes;
  }

  /** What the server counts once nothing is left to be removed in the background. */
  private static long counted(RespClient client, TestServer server) {
    Table<byte[], byte[]> table = server.store().table("db0");
    while (table.first(Range.prefix(new byte[] {'g'})) != null) {
      client.call("PING");
    }
    client.call("SET", "turn", "x"); // comes after the removal has ended
    return info(client, "used_memory");
  }

  /** What is counted less what is stored, at a moment between two in which nothing expired. */
  private static long excess(RespClient client, TestServer server) {
    long counted;
    long stored;
    do {
      counted = counted(client, server);
      stored = stored(server);
    } while (counted != counted(client, server));
    assertThat(stored).isPositive();
    return counted - stored;
  }

  @ParameterizedTest
  @CsvSource({
    "memory:,random.txt",
    "rocksdb:,random.txt",
    "rocksdb:,long.txt",
    "rocksdb:,fields.txt"
  })
  void whatIsCountedIsWhatIsStored(String engine, String file) {
    RandomRequests requests = new RandomRequests(file, Randomness.seed("eviction"));
    try (TestServer server = start(engine, 1 << 30, "noeviction")) {
      try (RespClient client = server.connect()) {
        for (int i = 0; i < Randomness.times(2_000); i++) {
          List<List<byte[]>> batch = new ArrayList<>();
          for (int j = 0; j < 5; j++) {
            batch.add(requests.next());
          }
          client.pipeline(batch);
        }
        client.call("DISCARD");
        IntStream.range(0, 1_000).forEach(i -> client.call("SADD", "large", "member" + i));
        client.call("DEL", "large");
        assertThat(excess(client, server)).isZero();
      }

      server.restart();

      try (RespClient client = server.connect()) {
        client.call("SET", "k0", "x");
        assertThat(excess(client, server)).isZero();
        client.call("CONFIG", "SET", "maxmemory", "0");
        client.call("SET", "k1", "not counted");
        client.call("CONFIG", "SET", "maxmemory", "1gb");
        client.call("SET", "k2", "x");
        assertThat(excess(client, server)).isZero();
        client.call("FLUSHALL");
        assertThat(info(client, "used_memory")).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:"})
  void writesThatGrowAreRefusedAtTheBound(String engine) {
    try (TestServer server = start(engine, BOUND, "noeviction");
        RespClient client = server.connect()) {
      String refusal = "-OOM command not allowed when used memory > 'maxmemory'.";
      int keys = 0;
      while (keys < MORE_THAN_FIT && client.call("SET", "key" + keys, VALUE).equals("OK")) {
        keys++;
      }

      assertThat(client.call("SET", "more", VALUE)).isEqualTo(refusal);
      assertThat(client.call("EVAL", "return redis.call('set','more',ARGV[1])", "0", VALUE))
          .asString()
          .contains("OOM command not allowed");
      client.call("MULTI");
      client.call("SET", "more", VALUE);
      assertThat(client.call("EXEC"))
          .isEqualTo("-EXECABORT Transaction discarded because of: " + refusal.substring(1));
      assertThat(client.call("EXISTS", "more")).isEqualTo(0L);
      assertThat(info(client, "used_memory")).isBetween(BOUND - 300L, (long) BOUND);
      assertThat(client.call("DBSIZE")).isEqualTo((long) keys);
      assertThat(client.call("RENAME", "key3", "kez3")).isEqualTo("OK"); // adds nothing
      assertThat(client.call("DEL", "key1", "key2")).isEqualTo(2L);
      assertThat(client.call("SET", "more", VALUE)).isEqualTo("OK");
      assertThat(client.call("CONFIG", "SET", "maxmemory", "1mb")).isEqualTo("OK");
      assertThat(client.call("SET", "even more", VALUE)).isEqualTo("OK");
      assertThat(client.call("CONFIG", "GET", "maxmemory*"))
          .asString()
          .contains("maxmemory, 1048576", "maxmemory-policy, noeviction");
      assertThat(info(client, "evicted_keys")).isZero();
    }
  }

  @Test
  void scriptsThatDeclareThemselvesBeginWithinTheBoundUnlessTheySayOtherwise() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      // given
      client.call("SET", "k", "v");

      // when
      client.call("CONFIG", "SET", "maxmemory", "1");

      // then
      assertThat(client.call("EVAL", "#!lua\nreturn redis.call('GET','k')", "0"))
          .asString()
          .startsWith("-OOM allow-oom flag is not set");
      assertThat(client.call("EVAL", "#!lua flags=no-writes\nreturn redis.call('GET','k')", "0"))
          .isEqualTo("v");
      assertThat(
              client.call("EVAL", "#!lua flags=allow-oom\nreturn redis.call('SET','k','w')", "0"))
          .isEqualTo("OK");
      assertThat(client.call("EVAL", "return redis.call('GET','k')", "0")).isEqualTo("w");
      assertThat(client.call("EVAL", "return redis.call('SET','k','x')", "0"))
          .asString()
          .startsWith("-OOM command not allowed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allkeys-lru",
        "volatile-lru",
        "allkeys-lfu",
        "volatile-lfu",
        "allkeys-random",
        "volatile-random"
      })
  void whatIsLeastUsedOrRandomGivesWay(String policy) {
    try (TestServer server = start("memory:", BOUND, policy);
        RespClient client = server.connect()) {
      // given: a quarter of what fits is hot, and spread among the others
      boolean expires = policy.startsWith("volatile");
      List<String> hot = IntStream.range(0, 200).mapToObj(i -> "key" + i * 37 + "h").toList();
      hot.forEach(each -> client.call("SET", each, VALUE, "EX", "100000"));
      List<String> others = IntStream.range(0, 50).mapToObj(i -> "key" + i * 37 + "p").toList();
      others.forEach(each -> client.call("SET", each, VALUE));
      int refused = 0;
      long largest = 0;

      // when
      for (int i = 0; i < 8_000; i++) {
        refused += client.call("SET", "key" + i, VALUE, "EX", "100000").equals("OK") ? 0 : 1;
        client.call("GET", hot.get(i % hot.size()));
        if (i % 100 == 0) {
          largest = Math.max(largest, info(client, "used_memory"));
        }
      }

      // then: random choice leaves few
      assertThat(refused).isZero();
      assertThat(largest).isBetween(BOUND * 9 / 10L, BOUND * 11 / 10L);
      if (policy.endsWith("random")) {
        assertThat(exists(client, hot)).isLessThan(180);
      } else {
        assertThat(exists(client, hot)).isGreaterThan(180);
      }
      if (expires) {
        assertThat(exists(client, others)).isEqualTo(others.size());
      } else {
        assertThat(exists(client, others)).isLessThan(others.size());
      }
      assertThat(info(client, "evicted_keys")).isGreaterThan(7_000);
      assertThat((Long) client.call("DBSIZE")).isGreaterThan(500);
    }
  }

  private static long exists(RespClient client, List<String> keys) {
    List<String> words = new ArrayList<>(List.of("EXISTS"));
    words.addAll(keys);
    return (Long) client.call(words.toArray(String[]::new));
  }

  @Test
  void objectTellsHowKeysAreUsedAsFarAsThePolicyLearnsIt() {
    try (TestServer server = TestServer.start();
        RespClient client = server.connect()) {
      client.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
      client.call("SET", "k", "v");
      assertThat(client.call("OBJECT", "FREQ", "k")).isEqualTo(5L);
      assertThat(client.call("OBJECT", "FREQ", "none")).isNull();
      assertThat(client.call("OBJECT", "IDLETIME", "k")).asString().contains("LFU");
      for (int i = 0; i < 200; i++) {
        client.call("GET", "k");
      }
      assertThat((Long) client.call("OBJECT", "FREQ", "k")).isBetween(7L, 50L);
      client.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      assertThat(client.call("OBJECT", "FREQ", "k")).asString().contains("LFU");
      client.call("GET", "k");
      assertThat((Long) client.call("OBJECT", "IDLETIME", "k")).isBetween(0L, 100L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb:"})
  void whatExpiresFirstGivesWayFirst(String engine) {
    try (TestServer server = start(engine, BOUND, "volatile-ttl");
        RespClient client = server.connect();
        RespClient listener = server.connect()) {
      // given
      client.call("CONFIG", "SET", "notify-keyspace-events", "Ee");
      listener.call("SUBSCRIBE", "__keyevent@0__:evicted");
      List<Integer> times = new ArrayList<>(IntStream.range(0, 300).boxed().toList());
      Collections.shuffle(times, new Random(Randomness.seed("times")));
      times.forEach(
          i -> client.call("SET", "key" + i, VALUE, "EX", Integer.toString(100_000 + 10 * i)));
      client.call("SADD", "first", "a", "b");
      client.call("EXPIRE", "first", "90000");

      // when
      int stays = 0;
      while (stays < MORE_THAN_FIT && client.call("SET", "stays" + stays, VALUE).equals("OK")) {
        stays++;
      }

      // then
      assertThat(listener.read().value()).asString().endsWith(", first]");
      for (int i = 0; i < 300; i++) {
        assertThat(listener.read().value()).asString().endsWith(", key" + i + "]");
      }
      assertThat(client.call("DBSIZE")).isEqualTo((long) stays);
      assertThat(stays).isGreaterThan(700);
      assertThat(client.call("SET", "one too many", VALUE, "EX", "10"))
          .asString()
          .startsWith("-OOM");
    }
  }

  /** Elements go in the background: nothing else must give way meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"memory:"})
  void aLargeCollectionThatGivesWayIsEnough(String engine) {
    try (TestServer server = start(engine, 10 * BOUND, "volatile-ttl");
        RespClient client = server.connect()) {
      List<List<byte[]>> requests = new ArrayList<>();
      for (int i = 0; i < 8_000; i++) {
        requests.add(bytes("HSET", "large", "f" + i, VALUE.substring(0, 80)));
      }
      client.pipeline(requests);
      client.call("EXPIRE", "large", "1000");
      client.call("SET", "later", "v", "EX", "2000");

      for (int i = 0; i < 4_000; i++) {
        assertThat(client.call("SET", "key" + i, VALUE)).isEqualTo("OK");
      }

      assertThat(client.call("EXISTS", "large", "later")).isEqualTo(1L);
      assertThat(info(client, "evicted_keys")).isEqualTo(1);
    }
  }

  private static List<byte[]> bytes(String... words) {
    return List.of(words).stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
  }
}
