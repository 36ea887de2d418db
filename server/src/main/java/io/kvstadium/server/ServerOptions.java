package io.kvstadium.server;

import org.jspecify.annotations.Nullable;

/**
 * How a store is served.
 *
 * @param bind the address to listen on
 * @param redisPort of the Redis protocol: 0 for any that is free, -1 for none
 * @param httpPort of HTTP: the same
 * @param raw whether the databases are plain tables, without expiry and collections
 * @param password that clients have to know, or {@code null}
 * @param readers how many threads read
 * @param memory bytes that requests and replies of all clients may take together
 */
public record ServerOptions(
    String bind,
    int redisPort,
    int httpPort,
    boolean raw,
    @Nullable String password,
    int readers,
    long memory) {
  /** For this machine only, at the ports of Redis and RocksServer. */
  public static final ServerOptions DEFAULT =
      new ServerOptions(
          "127.0.0.1",
          6379,
          5577,
          false,
          null,
          Math.max(4, 2 * Runtime.getRuntime().availableProcessors()),
          256L << 20);

  /** With {@link #redisPort} as given. */
  public ServerOptions redisPort(int port) {
    return new ServerOptions(bind, port, httpPort, raw, password, readers, memory);
  }

  /** With {@link #httpPort} as given. */
  public ServerOptions httpPort(int port) {
    return new ServerOptions(bind, redisPort, port, raw, password, readers, memory);
  }

  /** With {@link #raw} as given. */
  public ServerOptions raw(boolean plain) {
    return new ServerOptions(bind, redisPort, httpPort, plain, password, readers, memory);
  }

  /** With {@link #password} as given. */
  public ServerOptions password(String secret) {
    return new ServerOptions(bind, redisPort, httpPort, raw, secret, readers, memory);
  }

  /** With {@link #memory} as given. */
  public ServerOptions memory(long bytes) {
    return new ServerOptions(bind, redisPort, httpPort, raw, password, readers, bytes);
  }
}
