package io.kvstadium.server;

import io.kvstadium.server.backup.BackupOptions;
import io.kvstadium.server.log.Log;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a store is served.
 *
 * @param raw whether the databases are plain tables, without expiry and collections
 * @param readers how many threads read
 * @param httpProtocol the name of what is spoken on the port of HTTP beside JSON, or {@code null}
 */
public record ServerOptions(
    Addresses addresses,
    Security security,
    Limits limits,
    Reporting reporting,
    boolean raw,
    int readers,
    BackupOptions backups,
    @Nullable String httpProtocol) {
  /**
   * Where it listens.
   *
   * @param bind the address of both ports
   * @param redisPort of the Redis protocol: 0 for any that is free, -1 for none
   * @param httpPort of HTTP: the same
   * @param unixSocket for the Redis protocol too, or {@code null}
   * @param unixMode who may use it, as in {@code chmod}
   * @param healthPort says without a password whether the server can do its work: the same
   */
  public record Addresses(
      String bind,
      int redisPort,
      int httpPort,
      @Nullable Path unixSocket,
      int unixMode,
      int healthPort) {}

  /**
   * Who may come in.
   *
   * @param password of the default user, or {@code null}
   * @param users others, with their rights
   * @param tls encrypts both protocols, or {@code null}
   */
  public record Security(@Nullable String password, List<UserRules> users, @Nullable Tls tls) {}

  /**
   * A user.
   *
   * @param rules as ACL SETUSER takes them
   */
  public record UserRules(String name, List<String> rules) {}

  /**
   * Files in PEM form.
   *
   * @param clientAuthority whose certificates clients must have, or {@code null} if they need none
   */
  public record Tls(Path certificate, Path key, @Nullable Path clientAuthority) {}

  /**
   * What clients may take.
   *
   * @param connections at once
   * @param idle after which a silent connection ends; zero for never. Subscribers may be silent.
   * @param memory bytes of requests and replies of all clients together
   * @param maxArguments of a request
   * @param maxArgumentBytes of one of them
   * @param bound of the databases
   */
  public record Limits(
      int connections,
      Duration idle,
      long memory,
      int maxArguments,
      int maxArgumentBytes,
      Bound bound) {
    /** Returns a copy with {@link #connections} as given. */
    public Limits connections(int changed) {
      return new Limits(changed, idle, memory, maxArguments, maxArgumentBytes, bound);
    }

    /** Returns a copy with {@link #memory} as given. */
    public Limits memory(long changed) {
      return new Limits(connections, idle, changed, maxArguments, maxArgumentBytes, bound);
    }

    /** Returns a copy with {@link #idle} as given. */
    public Limits idle(Duration changed) {
      return new Limits(connections, changed, memory, maxArguments, maxArgumentBytes, bound);
    }

    /** Returns a copy with {@link #bound} as given. */
    public Limits bound(Bound changed) {
      return new Limits(connections, idle, memory, maxArguments, maxArgumentBytes, changed);
    }
  }

  /**
   * A size that the databases are kept below.
   *
   * @param bytes of keys and values; 0 for any size
   * @param eviction what gives way, in the words of Redis' maxmemory-policy
   */
  public record Bound(long bytes, String eviction) {
    /** Any size. */
    public static final Bound NONE = new Bound(0, "noeviction");
  }

  /**
   * What is reported to whom.
   *
   * @param notifications which keyspace notifications clients are sent, in Redis' letters
   * @param log the form of the log's lines
   */
  public record Reporting(String notifications, Log.Form log) {}

  /** For this machine only, at the usual ports, with Redis' limits. */
  public static final ServerOptions DEFAULT =
      new ServerOptions(
          new Addresses("127.0.0.1", 6379, 5577, null, 0700, -1),
          new Security(null, List.of(), null),
          new Limits(10_000, Duration.ZERO, memory(), 1 << 20, 512 << 20, Bound.NONE),
          new Reporting("", Log.Form.TEXT),
          false,
          Math.max(4, 2 * Runtime.getRuntime().availableProcessors()),
          new BackupOptions(null, 7, Long.MAX_VALUE),
          null);

  /** What clients may take of the heap; the rest is for what their requests are turned into. */
  private static long memory() {
    return Math.min(1L << 30, Runtime.getRuntime().maxMemory() / 4);
  }

  /** Returns a copy with the given addresses. */
  public ServerOptions addresses(Addresses changed) {
    return new ServerOptions(
        changed, security, limits, reporting, raw, readers, backups, httpProtocol);
  }

  /** Returns a copy with the given port of the Redis protocol. */
  public ServerOptions redisPort(int port) {
    return addresses(
        new Addresses(
            addresses.bind,
            port,
            addresses.httpPort,
            addresses.unixSocket,
            addresses.unixMode,
            addresses.healthPort));
  }

  /** Returns a copy with the given HTTP port. */
  public ServerOptions httpPort(int port) {
    return addresses(
        new Addresses(
            addresses.bind,
            addresses.redisPort,
            port,
            addresses.unixSocket,
            addresses.unixMode,
            addresses.healthPort));
  }

  /** Returns a copy with the given port for health checks. */
  public ServerOptions healthPort(int port) {
    return addresses(
        new Addresses(
            addresses.bind,
            addresses.redisPort,
            addresses.httpPort,
            addresses.unixSocket,
            addresses.unixMode,
            port));
  }

  /** Returns a copy with the given {@link #security}. */
  public ServerOptions security(Security changed) {
    return new ServerOptions(
        addresses, changed, limits, reporting, raw, readers, backups, httpProtocol);
  }

  /** Returns a copy with the given password of the default user. */
  public ServerOptions password(String secret) {
    return security(new Security(secret, security.users, security.tls));
  }

  /** Returns a copy with the given {@link #limits}. */
  public ServerOptions limits(Limits changed) {
    return new ServerOptions(
        addresses, security, changed, reporting, raw, readers, backups, httpProtocol);
  }

  /** Returns a copy with the given {@link #reporting}. */
  public ServerOptions reporting(Reporting changed) {
    return new ServerOptions(
        addresses, security, limits, changed, raw, readers, backups, httpProtocol);
  }

  /** Returns a copy with {@link #raw} as given. */
  public ServerOptions raw(boolean plain) {
    return new ServerOptions(
        addresses, security, limits, reporting, plain, readers, backups, httpProtocol);
  }

  /** Returns a copy with the given {@link #backups}. */
  public ServerOptions backups(BackupOptions changed) {
    return new ServerOptions(
        addresses, security, limits, reporting, raw, readers, changed, httpProtocol);
  }

  /** Returns a copy with the given {@link #httpProtocol}. */
  public ServerOptions httpProtocol(@Nullable String name) {
    return new ServerOptions(addresses, security, limits, reporting, raw, readers, backups, name);
  }
}
