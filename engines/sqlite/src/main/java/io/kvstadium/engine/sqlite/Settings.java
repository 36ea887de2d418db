package io.kvstadium.engine.sqlite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * SQLite's settings for a config.
 *
 * @param wal whether the journal mode is WAL; otherwise DELETE
 * @param synchronous when it syncs: off, normal, full or extra, from weak to strong
 * @param options the options that have the other settings
 */
record Settings(boolean wal, String synchronous, Options options) {
  private static final boolean MAC =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");

  /**
   * Returns the settings for a config.
   *
   * @throws BadArgumentException if an option has no value that SQLite takes
   */
  static Settings of(StoreConfig config) {
    Options options = config.options();
    Durability level = config.durability();
    boolean wal =
        options.has("journal_mode")
            ? options.text("journal_mode").equals("wal")
            : config.adopt()
                ? Database.isWal(config.directory())
                : level != Durability.ENGINE_DEFAULT;
    checkNumbers(options);
    return new Settings(wal, synchronous(wal, level), options);
  }

  /**
   * Returns what gives a level.
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
  private static String synchronous(boolean wal, Durability level) {
    return switch (level) {
      case NONE, PROCESS -> "off";
      case CONSISTENT -> wal ? "normal" : "full";
      case POWER -> wal ? "full" : "extra";
      case ENGINE_DEFAULT -> "full";
    };
  }

  /** Returns the journal mode, as SQLite says it. */
  String journal() {
    return wal ? "wal" : "delete";
  }

  /**
   * Returns how much a connection keeps in its page cache; without the option, SQLite's default.
   */
  long cacheBytes() {
    return options.has("cache_size") ? options.size("cache_size") : 2_000 << 10;
  }

  int busyTimeoutMillis() {
    return (int) options.duration("busy_timeout").toMillis();
  }

  /** Returns how many connections serve single reads where these do not share the writer's. */
  int readers() {
    return options.has("readers")
        ? (int) options.integer("readers")
        : Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  }

  /** Returns the file's pragmas for the first connection, in the required order. */
  List<String> filePragmas() {
    List<String> pragmas = new ArrayList<>();
    addNumber(pragmas, "page_size");
    if (options.has("auto_vacuum")) {
      pragmas.add("auto_vacuum=" + options.text("auto_vacuum"));
    }
    pragmas.add("journal_mode=" + journal());
    return pragmas;
  }

  /** Returns the pragmas of every connection. */
  List<String> connectionPragmas() {
    List<String> pragmas = new ArrayList<>();
    pragmas.add("synchronous=" + synchronous);
    if (options.has("cache_size")) { // negative: in KiB
      pragmas.add("cache_size=-" + options.size("cache_size") / 1024);
    }
    addNumber(pragmas, "mmap_size");
    if (options.has("wal_autocheckpoint")) {
      pragmas.add("wal_autocheckpoint=" + options.integer("wal_autocheckpoint"));
    }
    if (MAC && !synchronous.equals("off")) { // there, fsync leaves data in the drive's cache
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
    if (options.has("page_size")) {
      long size = options.size("page_size");
      if (Long.bitCount(size) != 1) {
        throw new BadArgumentException(
            "sqlite: page_size=" + size + " is not allowed: use a power of two from 512 to 64k");
      }
    }
  }
}
