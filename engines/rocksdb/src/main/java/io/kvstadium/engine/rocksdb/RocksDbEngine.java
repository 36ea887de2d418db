package io.kvstadium.engine.rocksdb;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.DurabilityMapping;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineInfo;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Limits;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** RocksDB, through its makers' Java binding. */
public final class RocksDbEngine implements Engine {
  static final String NAME = "rocksdb";

  /** What RocksDB's makers state; longer ones work but slow it down. */
  private static final int MAX_KEY = 8 << 20;

  /** All that it can do; each open store has one mode of transactions at most. */
  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.OPTIMISTIC_TRANSACTION,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SNAPSHOT,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY,
          Capability.ESTIMATED_COUNT,
          Capability.COMPACT);

  private final EngineInfo info = info(NAME, "RocksDB", version());

  /** Made by {@link java.util.ServiceLoader}. */
  public RocksDbEngine() {}

  @Override
  public EngineInfo info() {
    return info;
  }

  @Override
  public @Nullable String unavailable() {
    try {
      natives().load();
      return null;
    } catch (UnsatisfiedLinkError | RuntimeException e) {
      return "the native library of RocksDB cannot be loaded ("
          + e.getMessage()
          + "); rocksdbjni has it for Linux, macOS and 64-bit Windows";
    }
  }

  @Override
  public boolean exists(StoreConfig config) {
    return RocksDbDatabase.exists(config.directory());
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    String unavailable = unavailable();
    if (unavailable != null) {
      throw new StadiumException(unavailable);
    }
    RocksDbErrors errors = new RocksDbErrors(info.name(), config.directory());
    try {
      RocksDbDatabase database = RocksDbDatabase.open(config);
      return new RocksDbStore(
          database, config.durability(), capabilities(config, database.mode), errors);
    } catch (RocksDBException e) {
      throw errors.ofOpen(e);
    }
  }

  static RocksDbNatives natives() {
    return RocksDbNatives.ofUser(version(), System.getenv());
  }

  /** What it is; for forks with the same interface too. */
  static EngineInfo info(String name, String title, String version) {
    EnumMap<Durability, DurabilityMapping> durability = new EnumMap<>(Durability.class);
    durability.put(
        Durability.NONE, new DurabilityMapping(Durability.NONE, "WriteOptions.disableWAL=true"));
    durability.put(
        Durability.PROCESS, new DurabilityMapping(Durability.PROCESS, "WriteOptions.sync=false"));
    durability.put(
        Durability.POWER, new DurabilityMapping(Durability.POWER, "WriteOptions.sync=true"));
    durability.put(
        Durability.ENGINE_DEFAULT,
        new DurabilityMapping(Durability.ENGINE_DEFAULT, "WriteOptions.sync=false"));
    return new EngineInfo(
        name,
        title,
        version,
        "Apache-2.0 OR GPL-2.0-only",
        "LSM tree in C++: fast writes, compression, many options.",
        "Maintained by Meta; a release every month or two (https://rocksdb.org).",
        true,
        CAPABILITIES,
        new Limits(MAX_KEY, Limits.MAX_ARRAY),
        durability,
        RocksDbOptions.ALL,
        List.of(
            "A store opens with the options of this open, not with those it was made with: give the"
                + " same ones each time.",
            "Deleted and overwritten entries take space, and slow scans over them down, until"
                + " compaction reaches them.",
            "A read-only open sees the state at its open and needs max_open_files=-1 (the default)"
                + " beside a writer, which removes files that it has compacted.",
            "At level none nothing is logged: a kill loses up to all memtables; sync and close flush"
                + " them.",
            "Optimistic transactions that span a flush of a memtable are tried again; see"
                + " max_write_buffer_size_to_maintain.",
            "With transactions=pessimistic clearing a table deletes entry by entry, since RocksDB has"
                + " no range deletion there, and deadlock detection is on.",
            "After a full disk free space and reopen the store: RocksDB refuses writes until then.",
            "The native library is unpacked once into the user's cache directory; with"
                + " ROCKSDB_SHAREDLIB_DIR set, at each start into that one."));
  }

  private static Set<Capability> capabilities(StoreConfig config, RocksDbOptions.Mode mode) {
    EnumSet<Capability> capabilities = EnumSet.copyOf(CAPABILITIES);
    if (mode != RocksDbOptions.Mode.OPTIMISTIC) {
      capabilities.remove(Capability.OPTIMISTIC_TRANSACTION);
    }
    if (mode != RocksDbOptions.Mode.PESSIMISTIC) {
      capabilities.remove(Capability.PESSIMISTIC_TRANSACTION);
    }
    if (config.readOnly()) {
      capabilities.remove(Capability.BATCH);
      capabilities.remove(Capability.COMPACT);
    }
    return capabilities;
  }

  /** The version of the library that this was built against. */
  private static String version() {
    try (InputStream in = RocksDbEngine.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing beside RocksDbEngine");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty(NAME, "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
