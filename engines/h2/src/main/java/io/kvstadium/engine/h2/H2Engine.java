package io.kvstadium.engine.h2;

import io.kvstadium.engine.h2file.ChecksummedFilePath;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import java.nio.file.Files;
import java.sql.SQLException;
import org.h2.Driver;
import org.jspecify.annotations.Nullable;

/** H2, embedded, over JDBC. */
public final class H2Engine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          H2Engine.class::getResourceAsStream, LibraryVersion.of(() -> Driver.class, "h2"));

  /** For {@link java.util.ServiceLoader}. */
  public H2Engine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(Database.fileIn(config.directory()));
  }

  @Override
  public void check(StoreConfig config) {
    ChecksummedFilePath.check(
        "h2", config.directory().toAbsolutePath(), "\\;"); // the second ends an H2 URL
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Errors.of(thrown);
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws SQLException {
    return H2Store.open(Database.of(config), config);
  }
}
