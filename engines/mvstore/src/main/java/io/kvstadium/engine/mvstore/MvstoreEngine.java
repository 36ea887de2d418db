package io.kvstadium.engine.mvstore;

import io.kvstadium.engine.h2file.ChecksummedFilePath;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import java.nio.file.Files;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** MVStore, the storage below the H2 database, used without SQL. */
public final class MvstoreEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          MvstoreEngine.class::getResourceAsStream, LibraryVersion.of(() -> MVStore.class, "h2"));

  /** For {@link java.util.ServiceLoader}. */
  public MvstoreEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(MvstoreFile.in(config.directory()));
  }

  @Override
  public void check(StoreConfig config) {
    ChecksummedFilePath.check("mvstore", config.directory().toAbsolutePath(), "\\");
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    MvstoreFile file = MvstoreFile.of(config);
    int fillRate = MvstoreFile.fillRate(config.options());
    MVStore store = file.open(config);
    try {
      return new MvstoreStore(store, file, fillRate).started();
    } catch (RuntimeException e) {
      store.closeImmediately();
      throw e;
    }
  }

  /** On damaged files MVStore may throw almost anything. */
  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    Failure known = MvstoreFile.classify(thrown);
    return known == null && thrown instanceof RuntimeException ? MvstoreFile.damaged() : known;
  }
}
