package io.kvstadium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.command.Call;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands read, as their store sees it. */
class ReadAheadTest {
  @TempDir private Path directory;

  private static List<byte[]> words(String line) {
    return Arrays.stream(line.split(" ")).map(each -> each.getBytes(US_ASCII)).toList();
  }

  @Test
  void whatAsksForNoContentReadsNone() {
    AtomicLong read = new AtomicLong();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            read.addAndGet(
                switch (call) {
                  case GET, MULTI_GET, SCAN -> bytes;
                  default -> 0;
                });
          }
        };
    try (Store store =
            Stadium.open(
                "lmdb:" + directory.resolve("store"), OpenOptions.DEFAULT.listener(listener));
        Server server =
            Server.start(store, ServerOptions.DEFAULT.redisPort(0).httpPort(-1), line -> {});
        RespClient client = RespClient.connect(server.redisPort())) {
      client.call("mset", "a", "x".repeat(1 << 20), "b", "x".repeat(1 << 20));
      read.set(0);
      List<List<byte[]>> requests = new ArrayList<>();
      for (String each :
          List.of("exists", "type", "ttl", "pttl", "expiretime", "strlen", "touch", "unlink")) {
        requests.add(words(each + " a"));
        requests.add(words(each + " b"));
      }
      requests.addFirst(words("getbit a 1"));
      requests.addFirst(words("getrange b 1 2"));

      client.pipeline(requests);

      assertThat(read.get()).isLessThan(1 << 20);
    }
  }

  @Test
  void whoOnlyReadsADatabaseDoesNotMakeIt() {
    try (TestServer server = TestServer.start("rocksdb:");
        RespClient client = server.connect();
        RespClient other = server.connect()) {
      List<String> before = server.store().tables();
      other.call("select", "9");
      client.call("select", "9");

      assertThat(client.call("get", "a")).isNull();
      assertThat(client.call("mget", "a", "b")).isEqualTo(Arrays.asList(null, null));
      assertThat(client.call("dbsize")).isEqualTo(0L);
      assertThat(client.reply("keys", "*").parts()).isEmpty();
      assertThat(client.call("lrange", "a", "0", "-1")).isEqualTo(List.of());
      assertThat(server.store().tables()).isEqualTo(before);

      assertThat(other.call("set", "a", "1")).isEqualTo("OK");
      assertThat(client.call("get", "a")).isEqualTo("1");
    }
  }

  /** Or a line would take several times the memory of a request, for each who monitors. */
  @Test
  void monitorShowsTheBeginningOfLongArguments() {
    try (TestServer server = TestServer.start();
        RespClient monitor = server.connect();
        RespClient client = server.connect()) {
      monitor.call("monitor");

      client.call("set", "a", "x".repeat(1 << 20));
      client.call("ping", "next");

      assertThat(monitor.read().raw()).contains("\"set\" \"a\"").hasSizeLessThan(64 << 10);
      assertThat(monitor.read().raw()).contains("\"ping\" \"next\"");
    }
  }
}
