package io.kvstadium.engine.h2;

import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.OptionSpec;
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
      Declarations.options(H2Options.class.getResourceAsStream("options.txt"));

  private H2Options() {}
}
