package io.kvstadium.engine.rocksserver;

import static io.kvstadium.store.OptionSpec.Scope.STORE;

import io.kvstadium.store.OptionSpec;
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
      List.of(
          OptionSpec.choice(
              KEYS,
              STORE,
              "raw",
              List.of("raw", "hex"),
              "how keys are sent: as they are, as other clients do, or as hexadecimal digits"),
          OptionSpec.bool(
              SHARED,
              STORE,
              "false",
              "use a server whose keys may be others'; it is never destroyed"),
          OptionSpec.integer(CONNECTIONS, STORE, "64", 1, 10_000, "most calls at once"),
          OptionSpec.duration(
              TIMEOUT, STORE, "60s", "1ms", "24h", "how long to wait for an answer"),
          OptionSpec.size(
              REQUEST_LINE,
              STORE,
              "32k",
              "1k",
              "64m",
              "longest request line: getAll is split accordingly"),
          OptionSpec.text(
              CLIENT_NAME, STORE, "kv-stadium", "what the server's log may show (User-Agent)"));

  private RocksServerOptions() {}
}
