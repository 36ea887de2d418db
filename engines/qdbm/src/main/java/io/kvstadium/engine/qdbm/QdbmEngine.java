package io.kvstadium.engine.qdbm;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.PathNames;
import io.kvstadium.store.engine.help.TableFiles;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** QDBM, as installed on the system. */
public final class QdbmEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          QdbmEngine.class::getResourceAsStream,
          LibraryVersion.ofNative(Native.LIBRARY, "dpversion"));

  private static final String VILLA = ".villa";

  private static final Set<Capability> OF_WRITER = EnumSet.of(Capability.WRITE, Capability.COMPACT);

  /** For {@link java.util.ServiceLoader}. */
  public QdbmEngine() {}

  static TableFiles files(StoreConfig config) {
    return new TableFiles(config.directory(), VILLA);
  }

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
    return NativeFunctions.missing(library, "libqdbm14", "QDBM 1.8");
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8("qdbm", config.directory());
  }

  @Override
  public boolean exists(StoreConfig config) {
    return Files.exists(config.directory().resolve(Store.DEFAULT_TABLE + VILLA));
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
    return new QdbmStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return QdbmException.classify(config, thrown);
  }
}
