package io.kvstadium.engine.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.Loss;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.StoreConfig;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/** A server that speaks the Redis protocol: Redis, Valkey, Kvrocks, {@code stadium serve}. */
public final class RedisEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.BATCH,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT);

  private static final int LONGEST = 512 << 20;

  /** For {@link java.util.ServiceLoader}. */
  public RedisEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "redis",
        "Redis protocol",
        "8.0.2",
        "MIT",
        "A database of a server that speaks the Redis protocol: Redis, Valkey or `stadium serve`.",
        "The version is that of the client, Jedis, by Redis Ltd with several releases a year"
            + " (https://github.com/redis/jedis); Valkey is a project of the Linux Foundation"
            + " (https://valkey.io).",
        false,
        CAPABILITIES,
        new Limits(LONGEST, LONGEST),
        durability(),
        RedisOptions.ALL,
        List.of(
            "redis://user@host:port/number is a database of a running server; port 6379 and"
                + " database 0 by default.",
            "Passwords come from password_file or $REDISCLI_AUTH, never from the URL, since URLs are"
                + " printed in reports.",
            "The database must be empty or this store's alone, which the key kv-stadium:store marks;"
                + " destroying it empties it (FLUSHDB). With shared=true any database is used as it"
                + " is, without a mark: it is never destroyed, and scans show only strings.",
            "Levels of durability are about the server, at this moment: they follow from its"
                + " appendonly, appendfsync and maxmemory-policy, asked when the store is opened; a"
                + " weaker server than asked for, or one that does not report them, is refused."
                + " Redis with its default settings gives none.",
            "A failover to a replica may lose acknowledged writes at every level: Redis replicates"
                + " after it acknowledges.",
            "appendfsync everysec counts as none, since while a sync is slow Redis acknowledges up"
                + " to two seconds of writes that are in its memory only.",
            "sync() of a weaker server sets appendfsync to always for a moment, or runs SAVE where"
                + " only snapshots are kept: either needs permission, and SAVE blocks everybody.",
            "Every call is a trip to another process; batches (MULTI, MSET, DEL, EXEC) and getAll"
                + " (MGET, of 10,000 keys at once) make few.",
            "Scans are unordered (SCAN, then MGET of what it returned) and not a snapshot: what is"
                + " there all the time comes once, the rest perhaps. A scan remembers the keys that"
                + " came, about 100 bytes of heap each.",
            "Conditional writes hold against others only within this process.",
            "Calls of virtual threads are made by platform threads, one more hand-over each.",
            "Redis keeps everything in memory: at its maxmemory writes fail, or, if it evicts,"
                + " entries disappear.",
            "Tried with Redis 7.0; Kvrocks is taken at durability=none only, and without a quick"
                + " count."));
  }

  private static Map<Durability, DurabilityMapping> durability() {
    String always = "appendonly yes, appendfsync always, no-appendfsync-on-rewrite no";
    Evidence manual =
        Evidence.documented(
            "https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/");
    DurabilityMapping none = DurabilityMapping.none("whatever the server has");
    return DurabilityMapping.levels(
        none,
        DurabilityMapping.process(
            "appendonly yes, appendfsync no (or always); `stadium serve` of a store at that level",
            Evidence.argued("docs/durability.md")),
        DurabilityMapping.consistent(
            always + "; `stadium serve` of a store at that level", Loss.TAIL, manual),
        DurabilityMapping.power(always + "; `stadium serve` of a store at that level", manual),
        none.byDefault());
  }

  private static Address address(StoreConfig config) {
    return Address.of(config.location(), config.options());
  }

  @Override
  public void check(StoreConfig config) {
    address(config);
  }

  @Override
  public boolean exists(StoreConfig config) {
    Address address = address(config);
    try (Connection connection = address.connect()) {
      return RedisStore.isStore(connection, address);
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return RedisStore.open(config, address(config));
  }

  @Override
  public void destroy(StoreConfig config) {
    Address address = address(config);
    if (address.shared()) {
      throw new BadArgumentException(
          "redis: " + address + " is shared and not destroyed: empty it by hand");
    }
    try (Connection connection = address.connect()) {
      if (RedisStore.isStore(connection, address)) {
        RedisStore.empty(connection, false);
      }
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return RedisErrors.of(thrown);
  }
}
