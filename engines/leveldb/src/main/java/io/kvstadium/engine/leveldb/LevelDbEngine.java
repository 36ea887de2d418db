package io.kvstadium.engine.leveldb;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.PathNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** LevelDB, as installed on the system. */
public final class LevelDbEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          LevelDbEngine.class::getResourceAsStream,
          LibraryVersion.ofNumbers(
              LevelDb.LIBRARY, "leveldb_major_version", "leveldb_minor_version"));

  /** For {@link java.util.ServiceLoader}. */
  public LevelDbEngine() {}

  /** Where the library's files are: below the store's, whose own RocksDB would take for its. */
  static Path files(StoreConfig config) {
    return config.directory().resolve("leveldb");
  }

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    return missing(LevelDb.LIBRARY);
  }

  /** Why the library cannot be used here, or null if it can. */
  static @Nullable String missing(String library) {
    return NativeFunctions.missing(library, "libleveldb1d", "LevelDB 1.23");
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8("leveldb", config.directory());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(files(config).resolve("CURRENT"));
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws IOException {
    return LevelDbStore.open(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return LevelDbException.classify(thrown);
  }
}
