package io.kvstadium.engine.sqlite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.StoreConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * SQLite's settings for a config, and the level that they give.
 *
 * @param journal the journal mode
 * @param synchronous when it syncs
 * @param durability the level in force
 * @param options the options that have the other settings
 */
record Settings(Journal journal, Synchronous synchronous, Durability durability, Options options) {

  private static final boolean MAC =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");

  /** Values of {@code PRAGMA journal_mode}. */
  enum Journal {
    WAL,
    DELETE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Values of {@code PRAGMA synchronous}, from weak to strong; the ordinal is SQLite's number. */
  enum Synchronous {
    OFF,
    NORMAL,
    FULL,
    EXTRA;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the settings for a config.
   *
   * @throws BadArgumentException if options contradict each other or the durability
   */
  static Settings of(StoreConfig config) {
    Options options = config.options();
    Durability asked = config.durability();
    boolean own = asked == Durability.ENGINE_DEFAULT;
    Journal journal =
        options.has(SqliteOptions.JOURNAL_MODE)
            ? Journal.valueOf(options.text(SqliteOptions.JOURNAL_MODE).toUpperCase(Locale.ROOT))
            : hasRollbackJournal(config, own) ? Journal.DELETE : Journal.WAL;
    checkNumbers(options);
    if (options.has(SqliteOptions.SYNCHRONOUS)) {
      Synchronous given =
          Synchronous.valueOf(options.text(SqliteOptions.SYNCHRONOUS).toUpperCase(Locale.ROOT));
      Durability level = own ? asked : level(journal, given);
      if (level.compareTo(asked) < 0) {
        throw new BadArgumentException(
            ("sqlite: journal_mode=%s with synchronous=%s gives durability %s, less"
                    + " than %s: leave synchronous out, or write durability=%s or"
                    + " durability=engine-default")
                .formatted(journal.word(), given.word(), level.word(), asked.word(), level.word()));
      }
      return new Settings(journal, given, level, options);
    }
    if (own) {
      return new Settings(journal, Synchronous.FULL, asked, options);
    }
    Synchronous weakest =
        Stream.of(Synchronous.values())
            .filter(candidate -> level(journal, candidate).compareTo(asked) >= 0)
            .findFirst()
            .orElseThrow(); // either journal gives every level
    Durability given = asked == Durability.NONE ? asked : level(journal, weakest);
    return new Settings(journal, weakest, given, options);
  }

  /**
   * Whether the store has a rollback journal if no option is given: by default, or because the
   * adopted database has one.
   */
  private static boolean hasRollbackJournal(StoreConfig config, boolean byDefault) {
    return config.adopt() ? !Database.isWal(config.directory()) : byDefault;
  }

  /**
   * Returns the level that journal mode and synchronous give together.
   *
   * <p>WAL: NORMAL syncs the log before its frames are copied into the file, and frames carry a
   * running checksum, so a prefix of commits survives; FULL syncs the log at each commit.
   *
   * <p>A rollback journal: NORMAL writes the journal's record count and its records with a single
   * sync, so a cut may leave a journal that cannot roll back; SQLite's own documentation names the
   * chance of corruption. FULL orders them by two. A commit is the unlinking of the journal, which
   * only EXTRA makes durable (by a sync of the directory), so FULL may lose the last commit to a
   * cut.
   *
   * <p>OFF: what the process wrote is in the page cache, so that a kill takes nothing.
   */
  static Durability level(Journal journal, Synchronous synchronous) {
    boolean full = synchronous.compareTo(Synchronous.FULL) >= 0;
    return switch (journal) {
      case WAL ->
          full
              ? Durability.POWER
              : synchronous == Synchronous.NORMAL ? Durability.CONSISTENT : Durability.PROCESS;
      case DELETE ->
          synchronous == Synchronous.EXTRA
              ? Durability.POWER
              : full ? Durability.CONSISTENT : Durability.PROCESS;
    };
  }

  /**
   * Returns how much a connection keeps in its page cache; without the option, SQLite's default.
   */
  long cacheBytes() {
    return options.has(SqliteOptions.CACHE_SIZE)
        ? options.size(SqliteOptions.CACHE_SIZE)
        : 2_000 << 10;
  }

  int busyTimeoutMillis() {
    return (int) options.duration(SqliteOptions.BUSY_TIMEOUT).toMillis();
  }

  /** Returns how many connections serve single reads where these do not share the writer's. */
  int readers() {
    return options.has(SqliteOptions.READERS)
        ? (int) options.integer(SqliteOptions.READERS)
        : Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  }

  /** Returns the file's pragmas for the first connection, in the required order. */
  List<String> filePragmas() {
    List<String> pragmas = new ArrayList<>();
    addNumber(pragmas, SqliteOptions.PAGE_SIZE);
    if (options.has(SqliteOptions.AUTO_VACUUM)) {
      pragmas.add("auto_vacuum=" + options.text(SqliteOptions.AUTO_VACUUM));
    }
    pragmas.add("journal_mode=" + journal.word());
    return pragmas;
  }

  /** Returns the pragmas of every connection. */
  List<String> connectionPragmas() {
    List<String> pragmas = new ArrayList<>();
    pragmas.add("synchronous=" + synchronous.word());
    if (options.has(SqliteOptions.CACHE_SIZE)) { // negative: in KiB
      pragmas.add("cache_size=-" + options.size(SqliteOptions.CACHE_SIZE) / 1024);
    }
    addNumber(pragmas, SqliteOptions.MMAP_SIZE);
    if (options.has(SqliteOptions.WAL_AUTOCHECKPOINT)) {
      pragmas.add("wal_autocheckpoint=" + options.integer(SqliteOptions.WAL_AUTOCHECKPOINT));
    }
    if (MAC && synchronous != Synchronous.OFF) { // there, fsync leaves data in the drive's cache
      pragmas.add("fullfsync=1");
      pragmas.add("checkpoint_fullfsync=1");
    }
    return pragmas;
  }

  private void addNumber(List<String> pragmas, String option) {
    if (options.has(option)) {
      pragmas.add(option + "=" + options.size(option));
    }
  }

  private static void checkNumbers(Options options) {
    if (options.has(SqliteOptions.PAGE_SIZE)) {
      long size = options.size(SqliteOptions.PAGE_SIZE);
      if (Long.bitCount(size) != 1) {
        throw new BadArgumentException(
            "sqlite: page_size=" + size + " is not allowed: use a power of two from 512 to 64k");
      }
    }
  }
}
