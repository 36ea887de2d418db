package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.PathNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Env;

/** LMDB through lmdbjava. */
public final class LmdbEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(LmdbEngine.class::getResourceAsStream, version());

  private static final String NAME = "lmdb";

  private static final String FILE = "data.mdb";
  private static final Set<Capability> WRITES =
      EnumSet.of(
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.PESSIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS);

  /** For {@link java.util.ServiceLoader}. */
  public LmdbEngine() {}

  private static String version() {
    String chosen = System.getProperty("lmdbjava.native.lib");
    String library =
        chosen == null
            ? LibraryVersion.of(
                    () -> Env.class, "/org/lmdbjava/native/x86_64-linux-gnu.so", "native")
                .replaceFirst("-.*", "")
            : "library " + chosen;
    return library + " (lmdbjava " + LibraryVersion.of(() -> Env.class, "lmdbjava") + ")";
  }

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    StadiumException failure = NativeLibrary.loadingFailure();
    return failure == null ? null : failure.getMessage();
  }

  @Override
  public boolean exists(StoreConfig config) {
    Path place = config.directory();
    return Files.exists(place.resolve(FILE)) || (config.adopt() && Files.isRegularFile(place));
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8(NAME, config.directory());
    if (config.adopt() && config.directory().endsWith(FILE)) {
      throw new BadArgumentException(
          "%s:%s: %s is the file in an LMDB environment's directory: name the directory"
              .formatted(NAME, config.location(), FILE));
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    StadiumException failure = NativeLibrary.loadingFailure();
    if (failure != null) {
      throw new StadiumException(String.valueOf(failure.getMessage()), failure);
    }
    return new LmdbStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Failures.of(thrown, config.directory());
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    EnumSet<Capability> all = EnumSet.copyOf(INFO.capabilities());
    if (config.readOnly()) {
      all.removeAll(WRITES);
    }
    return all;
  }
}
