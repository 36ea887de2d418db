package io.kvstadium.engine.redis;

import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.OptionSpec;
import java.util.List;

/** The options in URLs. */
final class RedisOptions {
  static final String PASSWORD_FILE = "password_file";
  static final String TLS = "tls";
  static final String CONNECTIONS = "connections";
  static final String TIMEOUT = "timeout";
  static final String CLIENT_NAME = "client_name";
  static final String SHARED = "shared";

  static final List<OptionSpec> ALL =
      Declarations.options(RedisOptions.class.getResourceAsStream("options.txt"));

  private RedisOptions() {}
}
