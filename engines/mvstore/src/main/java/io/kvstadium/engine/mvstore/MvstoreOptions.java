package io.kvstadium.engine.mvstore;

import static io.kvstadium.store.OptionSpec.Scope.STORE;

import io.kvstadium.store.OptionSpec;
import java.util.List;

/** The options in URLs, modeled on those of MVStore's builder. */
final class MvstoreOptions {
  static final String CACHE_SIZE = "cache_size";
  static final String COMPRESS = "compress";
  static final String PAGE_SPLIT_SIZE = "page_split_size";
  static final String KEYS_PER_PAGE = "keys_per_page";
  static final String AUTO_COMPACT_FILL_RATE = "auto_compact_fill_rate";
  static final String AUTO_COMMIT_DELAY = "auto_commit_delay";
  static final String RETENTION_TIME = "retention_time";

  static final List<OptionSpec> ALL =
      List.of(
          OptionSpec.size(
              CACHE_SIZE, STORE, "16m", "0", "1t", "page cache on the heap, in whole megabytes"),
          OptionSpec.choice(
              COMPRESS, STORE, "none", List.of("none", "lzf", "deflate"), "how pages are written"),
          OptionSpec.size(
              PAGE_SPLIT_SIZE,
              STORE,
              "16k",
              "256",
              "1g",
              "bytes beyond which a page of several entries splits"),
          OptionSpec.integer(
              KEYS_PER_PAGE, STORE, "48", 4, 1_048_576, "entries beyond which a page splits"),
          OptionSpec.integer(
              AUTO_COMPACT_FILL_RATE,
              STORE,
              "90",
              1,
              100,
              "percentage of live data below which old chunks are rewritten; 1 for hardly ever"),
          OptionSpec.duration(
              AUTO_COMMIT_DELAY,
              STORE,
              "1s",
              "1ms",
              "24h",
              "longest time until changes are saved, at durability=none and engine-default"),
          OptionSpec.duration(
              RETENTION_TIME,
              STORE,
              "",
              "0ms",
              "500h",
              "how long dead chunks are left alone; 0s where every commit is synced, else 45s"));

  private MvstoreOptions() {}
}
