package io.kvstadium.engine.sqlite;

import static io.kvstadium.store.OptionSpec.Scope.STORE;
import static io.kvstadium.store.OptionSpec.Scope.TABLE;

import io.kvstadium.store.OptionSpec;
import java.util.List;

/** The options in URLs. Those with the name of a pragma set that pragma. */
final class SqliteOptions {
  static final String JOURNAL_MODE = "journal_mode";
  static final String SYNCHRONOUS = "synchronous";
  static final String CACHE_SIZE = "cache_size";
  static final String PAGE_SIZE = "page_size";
  static final String MMAP_SIZE = "mmap_size";
  static final String WAL_AUTOCHECKPOINT = "wal_autocheckpoint";
  static final String BUSY_TIMEOUT = "busy_timeout";
  static final String AUTO_VACUUM = "auto_vacuum";
  static final String READERS = "readers";
  static final String KEY = "key";
  static final String VALUE = "value";

  static final List<OptionSpec> ALL =
      List.of(
          OptionSpec.choice(
              JOURNAL_MODE,
              STORE,
              "",
              List.of("wal", "delete"),
              "how commits are made atomic; wal unless durability=engine-default, then delete"),
          OptionSpec.choice(
              SYNCHRONOUS,
              STORE,
              "",
              List.of("off", "normal", "full", "extra"),
              "when files are synced; follows from the durability, and may only be stronger"),
          OptionSpec.size(
              CACHE_SIZE,
              STORE,
              "",
              "1k",
              "1t",
              "page cache of each connection, 2000k by SQLite's default"),
          OptionSpec.size(
              PAGE_SIZE,
              STORE,
              "",
              "512",
              "64k",
              "of a new database: a power of two from 512 to 64k; 4096"),
          OptionSpec.size(
              MMAP_SIZE, STORE, "", "0", "1t", "bytes of the file that are memory-mapped; 0"),
          OptionSpec.integer(
              WAL_AUTOCHECKPOINT,
              STORE,
              "",
              0,
              2_147_483_647,
              "pages in the log that start a checkpoint; 1000"),
          OptionSpec.duration(
              BUSY_TIMEOUT,
              STORE,
              "5s",
              "0ms",
              "24h",
              "longest wait for another writer, of any process"),
          OptionSpec.choice(
              AUTO_VACUUM,
              STORE,
              "",
              List.of("none", "full", "incremental"),
              "whether a new database returns free pages to the file system on its own; none"),
          OptionSpec.integer(
              READERS,
              STORE,
              "",
              1,
              1_000,
              "most connections for single reads in WAL mode; two per core"),
          OptionSpec.text(
              KEY, TABLE, "", "with adopt=true: the key column; the primary key if not given"),
          OptionSpec.text(
              VALUE,
              TABLE,
              "",
              "with adopt=true: the value column; the only other one if not given"));

  private SqliteOptions() {}
}
