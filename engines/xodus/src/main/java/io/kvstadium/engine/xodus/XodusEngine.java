package io.kvstadium.engine.xodus;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.LibraryVersion;
import io.kvstadium.store.engine.help.OwnThread;
import io.kvstadium.store.engine.help.TableFiles;
import java.io.IOException;
import jetbrains.exodus.ExodusException;
import jetbrains.exodus.InvalidSettingException;
import jetbrains.exodus.OutOfDiskSpaceException;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.EnvironmentImpl;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.log.DataCorruptionException;
import jetbrains.exodus.log.TooBigLoggableException;
import org.jspecify.annotations.Nullable;

/** JetBrains Xodus. */
public final class XodusEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          XodusEngine.class::getResourceAsStream,
          LibraryVersion.of(() -> Environments.class, "xodus-environment"));

  /** For {@link java.util.ServiceLoader}. */
  public XodusEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    return !new TableFiles(config.directory(), ".xd").tables().isEmpty();
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return failure(thrown);
  }

  static @Nullable Failure failure(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case OutOfDiskSpaceException _ -> {
          // what it has in memory of the end of its log may not be in the file
          return Failure.full().blocking(Blocks.ALL);
        }
        case IOException e -> {
          return Failure.ofFiles(e).blocking(Blocks.ALL);
        }
        case TooBigLoggableException _ -> {
          return new Failure(
              Kind.ARGUMENT, "the entry is larger than a file of the log", "raise log_file_size");
        }
        case DataCorruptionException _ -> {
          return new Failure(Kind.CORRUPT, "damaged files", "restore a backup");
        }
        default -> {}
      }
    }
    return switch (thrown) {
      case InvalidSettingException _ -> new Failure(Kind.ARGUMENT, "Xodus refused a setting", "");
      case ExodusException e when String.valueOf(e.getMessage()).contains("Can't acquire") ->
          new Failure(Kind.LOCKED, "another process has it open", "close it there");
      case ExodusException e
          when String.valueOf(e.getMessage()).contains("Unexpected file length") ->
          new Failure(
              Kind.CORRUPT,
              "a file of the log is shorter or longer than its log_file_size",
              "open it with the log_file_size that it was made with, or restore a backup");
      case ExodusException _ -> new Failure(Kind.OTHER, "Xodus refused it", "");
      default -> null;
    };
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return OwnThread.<XodusStore, RuntimeException>once(
        "xodus",
        () ->
            new XodusStore(
                (EnvironmentImpl)
                    Environments.newInstance(config.directory().toFile(), settings(config)),
                config));
  }

  static EnvironmentConfig settings(StoreConfig config) {
    Options options = config.options();
    EnvironmentConfig settings =
        new EnvironmentConfig()
            .setLogDurableWrite(config.durability() == Durability.POWER)
            .setLogFileSize(options.size("log_file_size") >> 10)
            .setLogAllowRamDisk(true)
            .setLogAllowRemovable(true)
            .setLogAllowRemote(true)
            .setLogCacheShared(false)
            .setManagementEnabled(false)
            .setGcEnabled(options.bool("cleaner"))
            .setGcMinUtilization((int) options.integer("min_utilization"))
            .setEnvMonitorTxnsExpirationTimeout(0); // or a snapshot would end after 8 hours
    if (config.durability() != Durability.ENGINE_DEFAULT
        || options.given().containsKey("cache_size")) {
      settings.setMemoryUsage(options.heapSize("cache_size"));
    }
    return settings;
  }
}
