package io.kvstadium.engine.xodus;

import io.kvstadium.store.Capability;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import jetbrains.exodus.ExodusException;
import jetbrains.exodus.InvalidSettingException;
import jetbrains.exodus.OutOfDiskSpaceException;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.EnvironmentImpl;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.io.DataReaderWriterProvider;
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
  public EngineStore<?> open(StoreConfig config) throws IOException {
    return OwnThread.<XodusStore, IOException>once(
        "xodus",
        () ->
            new XodusStore(
                (EnvironmentImpl)
                    Environments.newInstance(config.directory().toFile(), settings(config)),
                config));
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    Set<Capability> capabilities = EnumSet.copyOf(INFO.capabilities());
    if (config.readOnly()) {
      capabilities.remove(Capability.BACKUP); // Xodus cannot end the last file of its log
    }
    return capabilities;
  }

  static EnvironmentConfig settings(StoreConfig config) throws IOException {
    Options options = config.options();
    EnvironmentConfig settings =
        new EnvironmentConfig()
            .setLogDurableWrite(config.durability() == Durability.POWER)
            .setLogFileSize(fileSize(config) >> 10)
            .setLogAllowRamDisk(true)
            .setLogAllowRemovable(true)
            .setLogAllowRemote(true)
            .setLogCacheShared(false)
            .setManagementEnabled(false)
            .setGcEnabled(options.bool("cleaner"))
            .setGcMinUtilization((int) options.integer("min_utilization"))
            .setEnvMonitorTxnsExpirationTimeout(0); // or a snapshot would end after 8 hours
    if (config.readOnly()) {
      settings
          .setEnvIsReadonly(true)
          .setGcEnabled(false)
          // takes no lock, writes nothing, and sees what is appended
          .setLogDataReaderWriterProvider(DataReaderWriterProvider.WATCHING_READER_WRITER_PROVIDER);
    }
    if (config.durability() != Durability.ENGINE_DEFAULT
        || options.given().containsKey("cache_size")) {
      settings.setMemoryUsage(options.heapSize("cache_size"));
    }
    return settings;
  }

  /** Another program's is as large as its first file, unless that is the last one, too. */
  private static long fileSize(StoreConfig config) throws IOException {
    if (config.adopt()) {
      try (Stream<Path> all = Files.list(config.directory())) {
        List<Path> files = all.filter(file -> file.toString().endsWith(".xd")).sorted().toList();
        if (files.size() > 1) {
          return Files.size(files.getFirst());
        }
      }
    }
    return config.options().size("log_file_size");
  }
}
