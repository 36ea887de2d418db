package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lettuce, as its users run it: RESP3, pipelined, with its client-side cache. */
final class LettuceTest {
  private final TestServer server = TestServer.start("rocksdb:");
  private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + server.port());
  private final StatefulRedisConnection<String, String> connection = client.connect();
  private final RedisCommands<String, String> commands = connection.sync();

  @AfterEach
  void close() {
    connection.close();
    client.shutdown(0, 1, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void everydayCommands() {
    assertThat(commands.set("a", "1", SetArgs.Builder.ex(100))).isEqualTo("OK");
    assertThat(commands.ttl("a")).isBetween(1L, 100L);
    assertThat(commands.incrby("a", 5)).isEqualTo(6);
    assertThat(commands.hset("h", Map.of("f", "v", "g", "w"))).isEqualTo(2);
    assertThat(commands.hgetall("h")).containsOnly(Map.entry("f", "v"), Map.entry("g", "w"));
    assertThat(commands.zadd("z", 1.5, "m")).isEqualTo(1);
    assertThat(commands.zadd("z", 2, "n")).isEqualTo(1);
    assertThat(commands.zrangebyscoreWithScores("z", Range.create(0, 1.7)))
        .containsExactly(ScoredValue.just(1.5, "m"));
    assertThat(commands.geoadd("geo", 13.361389, 38.115556, "Palermo")).isEqualTo(1);
    assertThat(commands.geopos("geo", "Palermo").getFirst().getX().doubleValue())
        .isBetween(13.3613, 13.3614);
    assertThat(commands.pfadd("hll", "a", "b")).isEqualTo(1);
    assertThat(commands.pfcount("hll")).isEqualTo(2);
    assertThat(commands.restore("copy", 0, commands.dump("a"))).isEqualTo("OK");
    assertThat(commands.get("copy")).isEqualTo("6");
    commands.multi();
    commands.get("a");
    commands.del("h");
    TransactionResult result = commands.exec();
    assertThat(result.stream().toList()).isEqualTo(List.of("6", 1L));
  }

  @Test
  void aPipeline() throws Exception {
    List<RedisFuture<String>> replies = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      replies.add(connection.async().set("key" + i, "value" + i));
      replies.add(connection.async().get("key" + i));
    }
    assertThat(replies.getLast().get(30, TimeUnit.SECONDS)).isEqualTo("value999");
    assertThat(commands.dbsize()).isEqualTo(1_000);
  }

  @Test
  void messages() throws Exception {
    CompletableFuture<String> heard = new CompletableFuture<>();
    try (StatefulRedisPubSubConnection<String, String> listening = client.connectPubSub()) {
      listening.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
              heard.complete(channel + " " + message);
            }
          });
      listening.sync().subscribe("news");
      commands.publish("news", "hello");
      assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo("news hello");
    }
  }

  @Test
  void itsCacheForgetsWhatOthersChange() {
    // given
    Map<String, String> copies = new ConcurrentHashMap<>();
    CacheFrontend<String, String> cache =
        ClientSideCaching.enable(
            CacheAccessor.forMap(copies), connection, TrackingArgs.Builder.enabled());
    commands.set("key", "old");
    assertThat(cache.get("key")).isEqualTo("old");
    assertThat(copies).containsKey("key");

    // when
    try (RespClient other = server.connect()) {
      other.call("SET", "key", "new");
    }

    // then
    while (copies.containsKey("key")) {
      Thread.onSpinWait();
    }
    assertThat(cache.get("key")).isEqualTo("new");
  }
}
