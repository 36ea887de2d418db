package io.kvstadium.engine.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ServerUrls;
import java.net.URI;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;
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
  private static final String PASSWORD = "REDISCLI_AUTH";
  private static final String FORM = "write redis://user@host:port/number";

  static Address of(String location, Options options) {
    URI uri = ServerUrls.parse("redis", location, FORM);
    String user = uri.getUserInfo();
    ServerUrls.checkUser("redis", user, PASSWORD);
    String path = uri.getPath();
    if (path == null || !path.matches("/?|/\\d{1,9}")) {
      throw new BadArgumentException("redis: '" + location + "' is not an address: " + FORM);
    }
    DefaultJedisClientConfig.Builder client =
        DefaultJedisClientConfig.builder()
            .protocol(RedisProtocol.RESP2) // in Jedis 7 too, which Spring Boot brings
            .connectionTimeoutMillis(CONNECT_MILLIS)
            .socketTimeoutMillis(Math.toIntExact(options.duration("timeout").toMillis()))
            .user(user)
            .password(ServerUrls.password("redis", options.text("password_file"), PASSWORD))
            .database(path.length() < 2 ? 0 : Integer.parseInt(path.substring(1)))
            .clientName(options.text("client_name"));
    if (options.bool("tls")) {
      client.sslOptions(SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
    }
    return new Address(
        new HostAndPort(uri.getHost(), uri.getPort() < 0 ? USUAL_PORT : uri.getPort()),
        client.build(),
        options.bool("shared"));
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
