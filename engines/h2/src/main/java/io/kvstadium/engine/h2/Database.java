package io.kvstadium.engine.h2;

import io.kvstadium.engine.h2file.ChecksummedFilePath;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Options;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Function;
import org.h2.Driver;

/**
 * The database, and how connections to it are made. Immutable.
 *
 * @param file the file, for messages
 * @param url the URL with all settings
 * @param durability the level that is given
 * @param casket whether new tables are made as in schema=casket
 */
record Database(Path file, String url, Durability durability, boolean casket) {
  private static final String NAME = "store";

  static Path fileIn(Path directory) {
    return directory.resolve(NAME + ".mv.db");
  }

  static Database of(StoreConfig config) {
    return of(
        config, file -> ChecksummedFilePath.nameOf(file, config.durability() == Durability.POWER));
  }

  /**
   * @param naming gives the name by which H2 opens the file
   */
  static Database of(StoreConfig config, Function<Path, String> naming) {
    Durability given = config.durability();
    Path base = config.directory().toAbsolutePath().resolve(NAME);
    Options options = config.options();
    StringBuilder url = new StringBuilder("jdbc:h2:").append(naming.apply(base));
    set(url, "DB_CLOSE_ON_EXIT", "FALSE"); // closing is the library's business
    // otherwise a query may return again what it returned for an older view of its session
    set(url, "OPTIMIZE_REUSE_RESULTS", "FALSE");
    set(url, "TRACE_LEVEL_FILE", "0");
    set(url, "TRACE_LEVEL_SYSTEM_OUT", "0");
    set(url, "LOCK_TIMEOUT", "0"); // writers wait for each other before they get here
    set(url, "MAX_COMPACT_TIME", millis(options, "max_compact_time"));
    set(url, "COMPRESS", options.text("compress"));
    if (config.readOnly()) {
      set(url, "ACCESS_MODE_DATA", "r");
    } else {
      // 0: each commit is saved by the thread that commits
      set(url, "WRITE_DELAY", saved(given) ? "0" : millis(options, "write_delay"));
      // 0: it is synced too, so that dead space may be reused at once; otherwise H2's default, set
      // explicitly since the file remembers what was set before
      set(url, "RETENTION_TIME", given == Durability.POWER ? "0" : "45000");
    }
    if (options.has("cache_size")) {
      set(url, "CACHE_SIZE", Long.toString(kibibytes(options)));
    }
    if (options.has("page_size")) {
      set(url, "PAGE_SIZE", Long.toString(options.size("page_size")));
    }
    return new Database(
        fileIn(base.resolveSibling("")),
        url.toString(),
        given,
        options.text("schema").equals("casket"));
  }

  private static long kibibytes(Options options) {
    return (options.size("cache_size") + 1023) / 1024;
  }

  private static String millis(Options options, String name) {
    return Long.toString(options.duration(name).toMillis());
  }

  private static void set(StringBuilder url, String setting, String value) {
    url.append(';').append(setting).append('=').append(value);
  }

  /** Whether every commit is saved before it is acknowledged. */
  boolean saved() {
    return saved(durability);
  }

  private static boolean saved(Durability level) {
    return level == Durability.PROCESS || level == Durability.POWER;
  }

  /** Whether it is synced, too. */
  boolean synced() {
    return durability == Durability.POWER;
  }

  /** Opens a connection that commits each statement on its own. */
  Connection connect() throws SQLException {
    Properties user = new Properties();
    user.setProperty("user", "sa");
    user.setProperty("password", "");
    Connection connection = new Driver().connect(url, user);
    if (connection == null) {
      throw new BadArgumentException("h2: " + url + " is not a URL that H2 accepts");
    }
    return connection;
  }
}
