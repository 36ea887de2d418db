package io.kvstadium.benchmarks;

import io.kvstadium.engine.berkeleydb.BerkeleyDbByHand;
import io.kvstadium.engine.lmdb.LmdbByHand;
import io.kvstadium.engine.mapdb.MapDbByHand;
import io.kvstadium.engine.mvstore.MvstoreByHand;
import io.kvstadium.engine.postgresql.PostgresqlByHand;
import io.kvstadium.engine.rocksjava.RocksDbByHand;
import io.kvstadium.engine.sqlite.SqliteByHand;
import io.kvstadium.engine.xodus.XodusByHand;
import io.kvstadium.store.engine.StoreConfig;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An open store of an engine that is used through the engine's own API, as its makers would, with
 * the settings that the adapter uses: without adapter and library. Each is in the package of its
 * adapter, for these settings. For one thread.
 */
public interface ByHand extends AutoCloseable {
  /** Opens or creates a store. */
  static ByHand open(String engine, StoreConfig config) throws Exception {
    return switch (engine) {
      case "berkeleydb" -> new BerkeleyDbByHand(config);
      case "lmdb" -> new LmdbByHand(config);
      case "mapdb" -> new MapDbByHand(config);
      case "mvstore" -> new MvstoreByHand(config);
      case "rocksdb" -> new RocksDbByHand(config);
      case "postgresql" -> new PostgresqlByHand(config);
      case "sqlite" -> SqliteByHand.open(config);
      case "xodus" -> new XodusByHand(config);
      default -> throw new IllegalArgumentException("engine " + engine + " is not used by hand");
    };
  }

  /** A copy of the value, or {@code null}. */
  byte @Nullable [] get(byte[] key) throws Exception;

  /** Writes as durably as the level says. */
  void put(byte[] key, byte[] value) throws Exception;

  /** Writes some entries, in one batch where an engine overrides it. */
  default void putAll(List<byte[]> keys, byte[] value) throws Exception {
    for (byte[] key : keys) {
      put(key, value);
    }
  }

  /**
   * Passes copies of the key and value of each entry, in the order of keys, from the smallest key
   * that is not below {@code from}.
   *
   * @param limit the most entries
   */
  void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) throws Exception;

  /**
   * Adds up lengths and first bytes of keys and values in place, where the engine's own API can.
   *
   * @param limit the most entries
   */
  default long view(byte[] from, int limit) throws Exception {
    throw new UnsupportedOperationException("by hand, entries are seen in place in lmdb only");
  }

  @Override
  void close() throws Exception;
}
