package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.store.Capability;
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
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tokyo Cabinet, as installed on the system. */
public final class TokyoCabinetEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          TokyoCabinetEngine.class::getResourceAsStream,
          LibraryVersion.ofNative(Native.LIBRARY, "tcversion"));

  private static final Set<Capability> OF_WRITER = EnumSet.of(Capability.WRITE, Capability.BATCH);

  /** For {@link java.util.ServiceLoader}. */
  public TokyoCabinetEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    return missing(Native.LIBRARY);
  }

  /** Why the library cannot be used here, or null if it can. */
  static @Nullable String missing(String library) {
    return NativeFunctions.missing(library, "libtokyocabinet9", "Tokyo Cabinet 1.4");
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8("tokyocabinet", config.directory());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(config.directory().resolve(Database.FILE));
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    EnumSet<Capability> able = EnumSet.copyOf(INFO.capabilities());
    if (config.readOnly()) {
      able.removeAll(OF_WRITER);
    }
    return able;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return new TokyoCabinetStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return TokyoCabinetException.classify(config, thrown);
  }
}
