package io.kvstadium.engine.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;

/** A server that speaks the Redis protocol: Redis, Valkey, Kvrocks, {@code stadium serve}. */
public final class RedisEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          RedisEngine.class::getResourceAsStream, LibraryVersion.of(() -> Jedis.class, "jedis"));

  /** For {@link java.util.ServiceLoader}. */
  public RedisEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
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
