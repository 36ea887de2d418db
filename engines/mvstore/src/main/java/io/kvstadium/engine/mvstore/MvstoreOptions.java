package io.kvstadium.engine.mvstore;


/** The options in URLs, modeled on those of MVStore's builder. */
final class MvstoreOptions {
  static final String CACHE_SIZE = "cache_size";
  static final String COMPRESS = "compress";
  static final String PAGE_SPLIT_SIZE = "page_split_size";
  static final String KEYS_PER_PAGE = "keys_per_page";
  static final String AUTO_COMPACT_FILL_RATE = "auto_compact_fill_rate";
  static final String AUTO_COMMIT_DELAY = "auto_commit_delay";
  static final String RETENTION_TIME = "retention_time";


  private MvstoreOptions() {}
}
