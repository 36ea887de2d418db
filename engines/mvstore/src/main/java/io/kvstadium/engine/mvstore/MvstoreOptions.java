package io.kvstadium.engine.mvstore;

import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.OptionSpec;
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
      Declarations.options(MvstoreOptions.class.getResourceAsStream("options.txt"));

  private MvstoreOptions() {}
}
