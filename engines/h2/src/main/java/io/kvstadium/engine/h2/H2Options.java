package io.kvstadium.engine.h2;

import static io.kvstadium.store.OptionSpec.Scope.STORE;

import io.kvstadium.store.OptionSpec;
import java.util.List;

/** The options in URLs, after H2's own settings. */
final class H2Options {
  static final String SCHEMA = "schema";
  static final String CACHE_SIZE = "cache_size";
  static final String PAGE_SIZE = "page_size";
  static final String COMPRESS = "compress";
  static final String LOCK_TIMEOUT = "lock_timeout";
  static final String WRITE_DELAY = "write_delay";
  static final String MAX_COMPACT_TIME = "max_compact_time";

  static final List<OptionSpec> ALL =
      List.of(
          OptionSpec.choice(
              SCHEMA,
              STORE,
              "plain",
              List.of("plain", "casket"),
              "how new tables are made: key and value; or numbered rows, an index on the key, a BLOB"),
          OptionSpec.size(
              CACHE_SIZE, STORE, "", "0", "1t", "page cache on the heap; depends on the heap"),
          OptionSpec.size(
              PAGE_SIZE,
              STORE,
              "",
              "256",
              "1g",
              "bytes beyond which a page of several rows splits; 4k"),
          OptionSpec.bool(COMPRESS, STORE, "false", "whether pages, then of 64k, are compressed"),
          OptionSpec.duration(
              LOCK_TIMEOUT,
              STORE,
              "5s",
              "0ms",
              "24h",
              "longest wait of a single write or batch for transactions"),
          OptionSpec.duration(
              WRITE_DELAY,
              STORE,
              "500ms",
              "0ms",
              "24h",
              "longest time until commits are saved, at durability=none and engine-default"),
          OptionSpec.duration(
              MAX_COMPACT_TIME,
              STORE,
              "200ms",
              "0ms",
              "24h",
              "how long the file is compacted when it is closed"));

  private H2Options() {}
}
