package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.Sparkey;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sparkey in Java: constant files that are loaded in one go and then read. */
public final class SparkeyEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          SparkeyEngine.class::getResourceAsStream,
          LibraryVersion.of(() -> Sparkey.class, "sparkey"));

  /** For {@link java.util.ServiceLoader}. */
  public SparkeyEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    return config.adopt()
        ? !Layout.foreign(config.directory()).isEmpty()
        : new Layout(config.directory()).holdsStore();
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws IOException {
    return new SparkeyStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return DamageException.classify(thrown);
  }
}
