package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.DiskLimitException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentFailureException;
import com.sleepycat.je.EnvironmentLockedException;
import com.sleepycat.je.LockConflictException;
import com.sleepycat.je.VersionMismatchException;
import io.kvstadium.store.BadArgumentException;
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
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Berkeley DB Java Edition. */
public final class BerkeleyDbEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(
          BerkeleyDbEngine.class::getResourceAsStream,
          LibraryVersion.of(() -> Environment.class, "je"));

  private static final Failure GAVE_UP =
      new Failure(Kind.IO, "JE gave up", "close it and open it again");

  private static final Set<Capability> TRANSACTIONAL =
      EnumSet.of(
          Capability.BATCH, Capability.PESSIMISTIC_TRANSACTION, Capability.SERIALIZABLE_SCANS);

  /** For {@link java.util.ServiceLoader}. */
  public BerkeleyDbEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    return !new TableFiles(config.directory(), ".jdb").tables().isEmpty();
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return classify(thrown);
  }

  static @Nullable Failure classify(Throwable thrown) {
    return switch (thrown) {
      case LockConflictException _ ->
          new Failure(Kind.CONFLICT, "another transaction kept a lock", "try again");
      case DiskLimitException _ ->
          new Failure(Kind.FULL, "too little free disk", "make room or lower free_disk");
      case EnvironmentLockedException _ ->
          new Failure(Kind.LOCKED, "another process has it open", "close it there");
      case VersionMismatchException _ ->
          new Failure(
              Kind.CORRUPT, "a newer version of JE wrote the files", "open it with that one");
      // a LogWriteException, or what JE makes of one that was met in the background
      case EnvironmentFailureException e
          when String.valueOf(e.getMessage()).contains("No space left") ->
          Failure.full().blocking(Blocks.ALL);
      case EnvironmentFailureException e ->
          switch (e.getReason()) {
            case LOG_CHECKSUM,
                LOG_INTEGRITY,
                LOG_INCOMPLETE,
                LOG_FILE_NOT_FOUND,
                LOG_UNEXPECTED_FILE_DELETION,
                FOUND_COMMITTED_TXN,
                BTREE_CORRUPTION ->
                new Failure(Kind.CORRUPT, "damaged files", "restore a backup");
            default -> GAVE_UP;
          };
      // on the commit after a call that met a full disk
      case IllegalStateException e when String.valueOf(e.getMessage()).contains("open cursors") ->
          GAVE_UP;
      case IllegalArgumentException _ -> new Failure(Kind.ARGUMENT, "JE refused it", "");
      case DatabaseException _ -> new Failure(Kind.OTHER, "JE refused it", "");
      default -> null;
    };
  }

  @Override
  public void check(StoreConfig config) {
    Durability level = config.durability();
    if (!isTransactional(config)
        && level != Durability.NONE
        && level != Durability.ENGINE_DEFAULT) {
      throw new BadArgumentException(
          "engine berkeleydb: transactional=false promises nothing, and durability "
              + level.word()
              + " does: leave it out, or ask for durability=none or engine-default");
    }
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    Set<Capability> capabilities = EnumSet.copyOf(INFO.capabilities());
    if (!isTransactional(config)) {
      capabilities.removeAll(TRANSACTIONAL);
    }
    if (config.readOnly()) {
      capabilities.remove(Capability.BACKUP); // JE cannot end the last file of its log
    }
    return capabilities;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws IOException {
    if (!config.readOnly()) {
      LogFiles.setUnwrittenAside(config.directory());
    }
    JeCalls calls = new JeCalls(config.directory(), OwnThread.asMany("berkeleydb"));
    Environment environment =
        calls.uninterruptibly(
            () -> new Environment(config.directory().toFile(), environmentConfig(config)));
    return new JeStore(calls, environment, config);
  }

  /** Whether writes are transactions; otherwise nothing is promised. */
  static boolean isTransactional(StoreConfig config) {
    return config.options().bool("transactional");
  }

  static EnvironmentConfig environmentConfig(StoreConfig config) {
    Options options = config.options();
    EnvironmentConfig settings =
        new EnvironmentConfig()
            .setTransactional(isTransactional(config))
            .setAllowCreate(!config.readOnly())
            .setReadOnly(config.readOnly())
            .setConfigParam(
                EnvironmentConfig.HALT_ON_COMMIT_AFTER_CHECKSUMEXCEPTION,
                options.text("halt_on_damage"))
            .setConfigParam(EnvironmentConfig.STATS_COLLECT, "false"); // no files beside the log
    if (isSet(config, "lock_timeout")) {
      settings.setLockTimeout(options.duration("lock_timeout").toMillis(), TimeUnit.MILLISECONDS);
    }
    if (isSet(config, "free_disk")) {
      settings
          .setConfigParam(EnvironmentConfig.FREE_DISK, "" + options.size("free_disk"))
          // when the free disk is measured: until then writes are refused, though there is room
          .setConfigParam(EnvironmentConfig.CLEANER_WAKEUP_INTERVAL, "1 s");
    }
    if (isSet(config, "cache_size")) {
      settings.setCacheSize(options.heapSize("cache_size"));
    }
    settings.setCacheMode(CacheMode.valueOf(options.text("cache_mode").toUpperCase(Locale.ROOT)));
    switch (config.durability()) {
      case NONE -> settings.setDurability(com.sleepycat.je.Durability.COMMIT_NO_SYNC);
      case PROCESS -> settings.setDurability(com.sleepycat.je.Durability.COMMIT_WRITE_NO_SYNC);
      case CONSISTENT, POWER -> settings.setDurability(com.sleepycat.je.Durability.COMMIT_SYNC);
      case ENGINE_DEFAULT -> {} // JE syncs by default
    }
    if (options.has("log_file_size")) {
      settings.setConfigParam(EnvironmentConfig.LOG_FILE_MAX, "" + options.size("log_file_size"));
    }
    return settings;
  }

  /** Whether an option must be set rather than left to JE. */
  private static boolean isSet(StoreConfig config, String option) {
    return config.durability() != Durability.ENGINE_DEFAULT
        || config.options().given().containsKey(option);
  }
}
