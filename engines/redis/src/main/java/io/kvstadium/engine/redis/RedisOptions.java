package io.kvstadium.engine.redis;

import static io.kvstadium.store.OptionSpec.Scope.STORE;

import io.kvstadium.store.OptionSpec;
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
      List.of(
          OptionSpec.text(
              PASSWORD_FILE,
              STORE,
              "",
              "file whose first line is the password; without it $REDISCLI_AUTH is taken"),
          OptionSpec.bool(
              TLS,
              STORE,
              "false",
              "encrypted connections to a server whose certificate the JVM trusts"),
          OptionSpec.integer(CONNECTIONS, STORE, "64", 1, 10_000, "most connections at once"),
          OptionSpec.duration(
              TIMEOUT, STORE, "60s", "1ms", "24h", "how long to wait for an answer"),
          OptionSpec.text(CLIENT_NAME, STORE, "kv-stadium", "what the server's CLIENT LIST shows"),
          OptionSpec.bool(
              SHARED,
              STORE,
              "false",
              "use a database whose keys may be others'; it is never destroyed"));

  private RedisOptions() {}
}
