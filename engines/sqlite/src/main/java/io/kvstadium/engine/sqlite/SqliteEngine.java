package io.kvstadium.engine.sqlite;

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
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;

/** SQLite, over JDBC. */
public final class SqliteEngine implements Engine {
  static final EngineInfo INFO =
      Declarations.info(SqliteEngine.class::getResourceAsStream, version());

  /** For {@link java.util.ServiceLoader}. */
  public SqliteEngine() {}

  /** The library's three numbers; its binding has a fourth. */
  private static String version() {
    return LibraryVersion.of(() -> JDBC.class, "sqlite-jdbc")
        .replaceFirst("^(\\d+\\.\\d+\\.\\d+)\\..*", "$1");
  }

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    return NativeLibrary.PROBLEM;
  }

  @Override
  public boolean exists(StoreConfig config) {
    return config.adopt()
        ? Files.isRegularFile(config.directory())
        : Files.exists(Database.fileIn(config.directory()));
  }

  @Override
  public void check(StoreConfig config) {
    PathNames.forUtf8("sqlite", config.directory());
    if (!config.adopt()) {
      return;
    }
    for (String option : List.of("journal_mode", "page_size", "auto_vacuum")) {
      if (config.options().has(option)) {
        throw new BadArgumentException(
            "sqlite:%s: %s of an adopted database cannot be changed: leave it out"
                .formatted(config.location(), option));
      }
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Errors.ofOpening(thrown, config.readOnly());
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws Exception { // no class of java.sql
    String problem = NativeLibrary.PROBLEM;
    if (problem != null) {
      throw new StadiumException("sqlite: " + problem);
    }
    Database database = Database.of(config);
    Session first = new Session(database.openFirst());
    try {
      String mode = first.query("PRAGMA journal_mode");
      boolean wal = mode.equals("wal");
      String asked = database.settings().journal();
      if (!config.readOnly() && !mode.equals(asked)) {
        throw new StadiumException(
            ("sqlite: %s stays in journal_mode=%s instead of %s: WAL needs a local file"
                    + " system, and delete that nobody else has the file open")
                .formatted(database.file(), mode, asked));
      }
      return new SqliteStore(
          database,
          first,
          wal,
          capabilities(database, mode),
          openUnsynced(database),
          config.adopt() ? Adoption.of(first, config) : null);
    } catch (SQLException | IOException | RuntimeException e) {
      try (first) {
        throw e;
      }
    }
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    Database database = Database.of(config);
    return capabilities(database, database.settings().journal());
  }

  /** Returns what a store can do in the mode it is in. */
  private static Set<Capability> capabilities(Database database, String mode) {
    Set<Capability> capabilities = EnumSet.copyOf(INFO.capabilities());
    if (!mode.equals("wal")) {
      capabilities.removeAll(
          EnumSet.of(Capability.SNAPSHOT, Capability.BACKUP, Capability.CONCURRENT_READ_ONLY));
      if (database.adopted()) { // writers elsewhere wait for it
        capabilities.add(Capability.SNAPSHOT);
      }
    }
    return capabilities;
  }

  /**
   * Opens the file if {@link SqliteStore#sync} has to sync it itself. Closing it would drop the
   * process's locks on the file, so it stays open as long as SQLite's connections.
   */
  private static @Nullable RandomAccessFile openUnsynced(Database database) throws IOException {
    boolean needed =
        !database.readOnly()
            && database.settings().wal()
            && database.settings().synchronous().equals("off");
    return needed ? new RandomAccessFile(database.file().toFile(), "rw") : null;
  }
}
