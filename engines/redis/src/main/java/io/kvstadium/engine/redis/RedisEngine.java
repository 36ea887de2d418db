package io.kvstadium.engine.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.Evidence;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Loss;
import io.kvstadium.store.engine.StoreConfig;
import java.util.EnumSet;
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
        Declarations.notes(RedisEngine.class.getResourceAsStream("notes.txt")));
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
