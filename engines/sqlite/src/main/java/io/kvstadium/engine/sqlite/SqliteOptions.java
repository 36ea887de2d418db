package io.kvstadium.engine.sqlite;


/** The options in URLs. Those with the name of a pragma set that pragma. */
final class SqliteOptions {
  static final String JOURNAL_MODE = "journal_mode";
  static final String CACHE_SIZE = "cache_size";
  static final String PAGE_SIZE = "page_size";
  static final String MMAP_SIZE = "mmap_size";
  static final String WAL_AUTOCHECKPOINT = "wal_autocheckpoint";
  static final String BUSY_TIMEOUT = "busy_timeout";
  static final String AUTO_VACUUM = "auto_vacuum";
  static final String READERS = "readers";
  static final String KEY = "key";
  static final String VALUE = "value";


  private SqliteOptions() {}
}
