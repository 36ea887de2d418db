package io.kvstadium.engine.h2;


/** The options in URLs, after H2's own settings. */
final class H2Options {
  static final String SCHEMA = "schema";
  static final String CACHE_SIZE = "cache_size";
  static final String PAGE_SIZE = "page_size";
  static final String COMPRESS = "compress";
  static final String LOCK_TIMEOUT = "lock_timeout";
  static final String WRITE_DELAY = "write_delay";
  static final String MAX_COMPACT_TIME = "max_compact_time";


  private H2Options() {}
}
