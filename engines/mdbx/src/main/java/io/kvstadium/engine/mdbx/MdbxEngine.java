package io.kvstadium.engine.mdbx;

import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.PathNames;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/** libmdbx, as the loader finds it. */
public final class MdbxEngine implements Engine {
  static final String FILE = "mdbx.dat";

  static final EngineInfo INFO =
      Declarations.info(
          MdbxEngine.class::getResourceAsStream,
          LibraryVersion.ofShorts(Mdbx.LIBRARY, "mdbx_version", 3));

  /** For {@link java.util.ServiceLoader}. */
  public MdbxEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    return missing(Mdbx.LIBRARY);
  }

  /** Why the library cannot be used here, or null if it can. */
  static @Nullable String missing(String library) {
    return NativeFunctions.isInstalled(library)
        ? null
        : library
            + " is not installed: ./stadium engines mdbx says how to get it; have LD_LIBRARY_PATH name its directory";
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8("mdbx", config.directory());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(config.directory().resolve(FILE));
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new MdbxStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return MdbxException.classify(config, thrown);
  }
}
