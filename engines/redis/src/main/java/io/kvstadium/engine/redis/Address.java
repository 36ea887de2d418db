package io.kvstadium.engine.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.spi.Options;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * A database on a server, and how to connect to it.
 *
 * @param shared whether its keys may be others'
 */
record Address(HostAndPort server, JedisClientConfig client, boolean shared) {
  private static final int USUAL_PORT = 6379;
  private static final int CONNECT_MILLIS = 5_000;
  private static final String FORM = "write redis://user@host:port/number";

  static Address of(String location, Options options) {
    URI uri;
    try {
      uri = new URI("redis:" + location);
    } catch (URISyntaxException e) {
      throw wrong(location, e);
    }
    String user = uri.getUserInfo();
    if (user != null && user.contains(":")) {
      throw new BadArgumentException(
          "redis: a URL may not contain a password, since URLs are printed: put it into a file and"
              + " name that with password_file, or into $REDISCLI_AUTH");
    }
    String path = uri.getPath();
    if (uri.getHost() == null || path == null || !path.matches("/?|/\\d{1,9}")) {
      throw wrong(location, null);
    }
    DefaultJedisClientConfig.Builder client =
        DefaultJedisClientConfig.builder()
            .resp2()
            .connectionTimeoutMillis(CONNECT_MILLIS)
            .socketTimeoutMillis(Math.toIntExact(options.duration(RedisOptions.TIMEOUT).toMillis()))
            .user(user)
            .password(password(options.text(RedisOptions.PASSWORD_FILE)))
            .database(path.length() < 2 ? 0 : Integer.parseInt(path.substring(1)))
            .clientName(options.text(RedisOptions.CLIENT_NAME));
    if (options.bool(RedisOptions.TLS)) {
      client.sslOptions(SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
    }
    return new Address(
        new HostAndPort(uri.getHost(), uri.getPort() < 0 ? USUAL_PORT : uri.getPort()),
        client.build(),
        options.bool(RedisOptions.SHARED));
  }

  private static BadArgumentException wrong(String location, @Nullable Exception why) {
    return new BadArgumentException(
        "redis: '" + location + "' is not the address of a server: " + FORM, why);
  }

  private static @Nullable String password(String file) {
    if (file.isEmpty()) {
      return System.getenv("REDISCLI_AUTH");
    }
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.findFirst().orElse("");
    } catch (IOException e) {
      throw new StoreIoException(
          "redis: password_file=" + file + " cannot be read; check path and rights: " + e, e);
    }
  }

  /** A new connection to the database. */
  Connection connect() {
    return new Connection(server, client);
  }

  @Override
  public String toString() {
    return server + "/" + client.getDatabase();
  }
}
