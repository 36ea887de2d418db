package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.server.imports.RedisImport;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.CopyProgress;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported.Verification;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a Redis held is served afterwards, from its file or from itself. */
class ImportFromRedisTest {
  /** What redis-server 7.0.15 wrote; {@code rdb/README.md} lists its content. */
  private static final byte[] FILE = file();

  private static byte[] file() {
    try (InputStream in = ImportFromRedisTest.class.getResourceAsStream("rdb/redis-7.0.15.rdb")) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFileIsServedWithAllItsKeys() {
    try (Store store = Stadium.open("memory:")) {
      RedisImport.Result result = read(FILE, store, ImportOptions.DEFAULT);

      assertThat(result.keys())
          .isEqualTo(
              Map.of("string", 8L, "hash", 3L, "list", 3L, "set", 3L, "zset", 3L, "stream", 1L));
      assertThat(result.expiring()).isEqualTo(1);
      assertThat(result.databases()).isEqualTo(2);
      assertThat(result.leftOut()).containsExactly("1 libraries of functions");
      assertThat(result.verification()).isEqualTo(Verification.IDENTICAL);
      served(
          store,
          redis -> {
            assertThat(redis.call("GET", "packed")).isEqualTo("abc".repeat(400));
            assertThat(redis.call("GET", "long")).isEqualTo("12345678901234");
            assertThat(redis.call("PEXPIRETIME", "expiring")).isEqualTo(4_102_444_800_000L);
            assertThat(redis.call("LRANGE", "l2", "0", "-1"))
                .isEqualTo(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i"));
            assertThat(redis.call("HGETALL", "h1")).isEqualTo(List.of("a", "1", "b", "2"));
            assertThat(redis.call("SMEMBERS", "s1")).isEqualTo(List.of("1", "2", "3"));
            assertThat(redis.call("ZRANGE", "z2", "0", "-1", "WITHSCORES"))
                .isEqualTo(List.of("d", "-inf", "a", "1", "b", "2", "c", "3.5", "e", "inf"));
            assertThat(redis.call("XLEN", "x")).isEqualTo(2L);
            assertThat(redis.reply("XPENDING", "x", "g").value().toString())
                .isEqualTo("[1, 1-1, 1-1, [[c, 1]]]");
            redis.call("SELECT", "3");
            assertThat(redis.call("GET", "elsewhere")).isEqualTo("there");
            assertThat(redis.call("DBSIZE")).isEqualTo(1L);
          });
    }
  }

  @Test
  void aCutOrAWrongBitIsFoundAnywhereAndNothingIsWritten() {
    try (Store store = Stadium.open("memory:")) {
      for (int i = 0; i < FILE.length; i++) {
        byte[] wrong = FILE.clone();
        wrong[i] ^= 0x10;
        byte[] cut = Arrays.copyOf(FILE, i);

        assertThatThrownBy(() -> read(wrong, store, ImportOptions.DEFAULT))
            .as("bit at " + i)
            .isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> read(cut, store, ImportOptions.DEFAULT))
            .as("cut at " + i)
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining(i < 9 ? "not a file of Redis" : "ends at byte " + i);
      }
      assertThat(Stores.isEmpty(store)).isTrue();
      assertThat(Stores.incomplete(store)).isNull();
    }
  }

  /** A literal, and both kinds of copies, that say they are longer than the compressed key. */
  @ParameterizedTest
  @ValueSource(strings = {"c3 01 01 00", "c3 01 03 20", "c3 03 0c 00 61 e0"})
  void aCompressedKeyThatIsCutIsDamage(String key) {
    byte[] file = HexFormat.of().parseHex("52454449533030313100" + key.replace(" ", ""));
    byte[] padded = Arrays.copyOf(file, file.length + 100);

    try (Store store = Stadium.open("memory:")) {
      assertThatThrownBy(() -> read(padded, store, ImportOptions.DEFAULT))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("byte");
      assertThat(Stores.isEmpty(store)).isTrue();
    }
  }

  @Test
  void aPipeThatIsCutLeavesAMarkedStore() {
    try (Store store = Stadium.open("memory:")) {
      byte[] cut = Arrays.copyOf(FILE, FILE.length - 8);

      assertThatThrownBy(() ->
              RedisImport.file(
                  "pipe", () -> new ByteArrayInputStream(cut), false, store, ImportOptions.DEFAULT))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("--replace");
      assertThat(read(FILE, store, ImportOptions.DEFAULT.existing(Existing.REPLACE)).verification())
          .isEqualTo(Verification.IDENTICAL);
      assertThat(Stores.incomplete(store)).isNull();
    }
  }

  /** A file with a key {@code k} and a string. */
  private static byte[] file(String hex) {
    byte[] value = HexFormat.of().parseHex(hex.replace(" ", ""));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes("REDIS0011".getBytes(StandardCharsets.US_ASCII));
    file.write(value[0]);
    file.writeBytes(new byte[] {1, 'k'});
    file.write(value, 1, value.length - 1);
    file.writeBytes(new byte[] {0, 1, 's', 1, 'v', -1, 0, 0, 0, 0, 0, 0, 0, 0});
    return file.toByteArray();
  }

  @Test
  void fieldsThatExpireComeWithTheirTimes() {
    String two = "18 00d8c32cbb030000 02 01 0161 0162 00 0163 0164";
    try (Store store = Stadium.open("memory:")) {
      RedisImport.Result result = read(file(two), store, ImportOptions.DEFAULT);

      assertThat(result.verification()).isEqualTo(Verification.IDENTICAL);
      assertThat(result.keys()).isEqualTo(Map.of("string", 1L, "hash", 1L));
    }
  }

  /** A type in hexadecimal with its value. */
  @ParameterizedTest
  @CsvSource({"07 81 1c1c1c1c1c1c1c01 02 05 05 0568656c6c6f 00, values of the module HBwcHBwcH"})
  void whatCannotBeHeldIsCountedAndTheRestIsRead(String hex, String what) {
    try (Store store = Stadium.open("memory:")) {
      RedisImport.Result result = read(file(hex), store, ImportOptions.DEFAULT);

      assertThat(result.leftOut()).containsExactly("1 " + what);
      assertThat(result.keys()).isEqualTo(Map.of("string", 1L));
    }
  }

  @Test
  void keysTooLongForTheEngineAreRefusedOrCounted() {
    try (TestServer source = TestServer.start();
        RespClient client = source.connect();
        TestServer lmdb = TestServer.start("lmdb:")) {
      client.call("SET", "k".repeat(600), "v");
      client.call("HSET", "h", "f".repeat(600), "v", "g", "w");
      client.call("SET", "short", "v");

      assertThatThrownBy(() -> from(source, lmdb.store(), merging(false)))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("--skip-oversized");
      RedisImport.Result result = from(source, lmdb.store(), merging(true));

      assertThat(result.leftOut()).singleElement().asString().startsWith("2 keys");
      try (RespClient redis = lmdb.connect()) {
        assertThat(redis.call("EXISTS", "h")).isEqualTo(0L);
        assertThat(redis.call("GET", "short")).isEqualTo("v");
      }
    }
  }

  private static ImportOptions merging(boolean skip) {
    return new ImportOptions(Map.of(), Existing.MERGE, skip, true, _ -> {});
  }

  /** What is changed once some keys were read: replaced, removed, new, and given another type. */
  @Test
  void whatChangesDuringTheImportIsReadAgain() {
    try (TestServer source = TestServer.start();
        RespClient client = source.connect();
        Store store = Stadium.open("memory:")) {
      for (int i = 0; i < 1_500; i++) {
        client.call("SET", "key" + i, "v" + i, "PX", Integer.toString(100_000_000 + i));
      }
      boolean[] done = {false};
      ImportOptions options =
          new ImportOptions(
              Map.of(),
              Existing.REFUSE,
              false,
              true,
              progress -> {
                if (!done[0]) {
                  done[0] = true;
                  for (int i = 0; i < 1_500; i += 10) {
                    client.call("DEL", "key" + i);
                    client.call("RPUSH", "key" + (i + 1), "x");
                    client.call("SET", "key" + (i + 2), "other");
                    client.call("SADD", "new" + i, "a", "b");
                  }
                  client.call("DEL", "key1");
                  client.call("RPUSH", "key1", "a", "b");
                }
              });

      RedisImport.Result result = from(source, store, options);

      assertThat(done[0]).isTrue();
      assertThat(result.verification()).isEqualTo(Verification.IDENTICAL);
      assertThat(result.remarks()).singleElement().asString().contains("read again");
      assertThat(result.changedSince()).isZero();
      served(store, redis -> assertThat(contents(redis)).isEqualTo(contents(client)));
    }
  }

  /** A write after each read: nobody can say that the store holds what the source does. */
  @Test
  void whatChangesAfterTheLastReadIsCounted() {
    try (TestServer source = TestServer.start();
        RespClient client = source.connect();
        Store store = Stadium.open("memory:")) {
      client.call("SET", "a", "0");
      client.call("SET", "b", "0");
      List<CopyProgress> verified = new ArrayList<>();
      ImportOptions options =
          new ImportOptions(
              Map.of(),
              Existing.REFUSE,
              false,
              true,
              progress -> {
                if (progress.step() == CopyProgress.Step.VERIFY) {
                  verified.add(progress);
                  client.call("SET", "a", "later");
                }
              });

      RedisImport.Result result = from(source, store, options);

      assertThat(result.verification()).isEqualTo(Verification.IDENTICAL);
      assertThat(result.changedSince()).isEqualTo(1);
      assertThat(verified)
          .last()
          .satisfies(each -> {
            assertThat(each.entries()).isEqualTo(2);
            assertThat(each.bytes()).isEqualTo(4);
          });
    }
  }

  /** Until it is told to end, and what was written before that. */
  @Test
  void changesAreFollowedUntilTheEndAndThenReadOnceMore() {
    try (TestServer source = TestServer.start();
        RespClient client = source.connect();
        Store store = Stadium.open("memory:")) {
      client.call("SET", "a", "0");
      int[] asked = {0};
      BooleanSupplier ended =
          () -> {
            asked[0]++;
            client.call("SET", "a", Integer.toString(asked[0]));
            client.call("SELECT", "3"); // a database that had no keys before
            client.call("SET", "c" + asked[0], "new");
            client.call("SELECT", "0");
            return asked[0] == 10; // more often than without an end
          };

      RedisImport.Result result =
          RedisImport.server(
              "redis://127.0.0.1:" + source.port(), null, ended, store, ImportOptions.DEFAULT);

      assertThat(asked[0]).isEqualTo(10);
      assertThat(result.changedSince()).isZero();
      assertThat(result.verification()).isEqualTo(Verification.IDENTICAL);
      served(
          store,
          redis -> {
            assertThat(redis.call("GET", "a")).isEqualTo("10");
            redis.call("SELECT", "3");
            assertThat(redis.call("DBSIZE")).isEqualTo(10L);
          });
    }
  }

  @Test
  void mistakesAreSaidAndNothingIsWritten() {
    Security secret = new Security("secret", List.of(), null);
    try (TestServer source = TestServer.start("memory:", options -> options.security(secret));
        Store store = Stadium.open("memory:")) {
      String host = "@127.0.0.1:" + source.port();

      assertThatThrownBy(() -> from("redis://" + host.substring(1), store))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("REDISCLI_AUTH");
      assertThatThrownBy(() ->
              RedisImport.server(
                  "redis://" + host.substring(1), "", null, store, ImportOptions.DEFAULT))
          .as("an empty variable")
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("REDISCLI_AUTH");
      assertThatThrownBy(() -> from("redis://:wrong" + host, store))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("WRONGPASS")
          .hasMessageNotContaining(":wrong");
      assertThatThrownBy(() -> from("redis://:wrong@host:port", store))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageNotContaining(":wrong");
      assertThatThrownBy(() -> from("redis://127.0.0.1:1", store))
          .isInstanceOf(StadiumException.class)
          .hasMessageContaining("cannot connect");
      assertThat(Stores.isEmpty(store)).isTrue();
      assertThat(from("redis://:secret" + host, store).keys()).isEmpty();
      store.table("other").put(new byte[] {1}, new byte[] {1});
      assertThatThrownBy(() -> from("redis://:secret" + host, store))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("--merge");
    }
  }

  /** Of every type, in Redis' small and large encodings, from its file and from itself. */
  @Test
  @Tag("ci")
  void everythingOfARealRedisIsTheSameHere() throws IOException {
    try (Oracle oracle = Oracle.start();
        RespClient theirs = oracle.connect()) {
      fill(theirs);
      theirs.call("SELECT", "9");
      theirs.call("SET", "far", "away", "EX", "1000");
      theirs.call("SELECT", "0");
      theirs.call("SAVE");
      Path dump = oracle.directory().resolve("dump.rdb");
      byte[] file = Files.readAllBytes(dump);
      Files.delete(dump);

      for (boolean live : List.of(true, false)) {
        try (Store store = Stadium.open("memory:")) {
          RedisImport.Result result =
              live
                  ? from("redis://127.0.0.1:" + oracle.port(), store)
                  : read(file, store, ImportOptions.DEFAULT);

          assertThat(result.verification()).isEqualTo(Verification.IDENTICAL);
          assertThat(result.leftOut()).isEmpty();
          served(
              store,
              redis -> assertThat(contents(redis)).containsExactlyEntriesOf(contents(theirs)));
        }
      }
    }
  }

  private static void fill(RespClient redis) {
    String text = "compressible ".repeat(100);
    DumpTest.stream(redis);
    for (int size : List.of(1, 5, 600)) {
      redis.call("SET", "number" + size, "-" + "7".repeat(Math.min(size, 15)));
      redis.call("SET", "text" + size, text.repeat(size));
      for (int i = 0; i < size; i++) {
        String value =
            i % 3 == 0 ? Integer.toString(i * 7_000 - 90) : "v" + i + (i == 4 ? text : "");
        redis.call("RPUSH", "list" + size, value);
        redis.call("HSET", "hash" + size, "field" + i, value);
        redis.call("SADD", "numbers" + size, Integer.toString(i * i * i * 100));
        redis.call("SADD", "words" + size, value);
        redis.call("ZADD", "scores" + size, i % 2 == 0 ? i + "0" : "-" + i + ".5", "m" + i);
      }
      redis.call("PEXPIRE", "hash" + size, "100000000");
    }
    redis.call("RPUSH", "plain", text.repeat(10), "x");
    redis.call("ZADD", "infinite", "-inf", "a", "inf", "b");
  }

  private static RedisImport.Result read(byte[] file, Store store, ImportOptions options) {
    return RedisImport.file("dump.rdb", () -> new ByteArrayInputStream(file), true, store, options);
  }

  private static RedisImport.Result from(TestServer source, Store store, ImportOptions options) {
    return RedisImport.server("redis://127.0.0.1:" + source.port(), null, null, store, options);
  }

  private static RedisImport.Result from(String url, Store store) {
    return RedisImport.server(url, null, null, store, ImportOptions.DEFAULT);
  }

  private static void served(Store store, Consumer<RespClient> check) {
    ServerOptions options = ServerOptions.DEFAULT.redisPort(0).httpPort(-1);
    List<String> log = new ArrayList<>();
    try (Server server = Server.start(store, options, log::add);
        RespClient redis = RespClient.connect(server.redisPort())) {
      check.accept(redis);
    }
    assertThat(log).isEmpty();
  }

  /** What each key of each database holds, and whether it expires. */
  private static Map<String, String> contents(RespClient redis) {
    Map<String, String> all = new TreeMap<>();
    for (String database : List.of("9", "0")) {
      redis.call("SELECT", database);
      if (redis.call("KEYS", "*") instanceof List<?> keys) {
        for (String key : new TreeSet<>(keys.stream().map(String::valueOf).toList())) {
          boolean expires = !Long.valueOf(-1).equals(redis.call("PTTL", key));
          all.put(database + " " + key, expires + DumpTest.contents(redis, key));
        }
      }
    }
    return all;
  }
}
