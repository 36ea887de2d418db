package io.kvstadium.engine.rocksserver;

import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.OptionSpec;
import java.util.List;

/** The options in URLs. */
final class RocksServerOptions {
  static final String KEYS = "keys";
  static final String SHARED = "shared";
  static final String CONNECTIONS = "connections";
  static final String TIMEOUT = "timeout";
  static final String REQUEST_LINE = "request_line";
  static final String CLIENT_NAME = "client_name";

  static final List<OptionSpec> ALL =
      Declarations.options(RocksServerOptions.class.getResourceAsStream("options.txt"));

  private RocksServerOptions() {}
}
