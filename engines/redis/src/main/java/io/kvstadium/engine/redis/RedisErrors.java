package io.kvstadium.engine.redis;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Blocks;
import io.kvstadium.store.spi.Failure.Kind;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** What a server's errors mean; the first word of each is its code. */
final class RedisErrors {
  private RedisErrors() {}

  static @Nullable Failure of(Throwable thrown) {
    return switch (thrown) {
      case JedisConnectionException e -> unreachable(e);
      case JedisException e -> refused(String.valueOf(e.getMessage()));
      default -> null;
    };
  }

  private static Failure refused(String said) {
    return switch (said.split("[ :]", 2)[0]) {
      case "OOM" ->
          new Failure(
              Kind.FULL, "the server's maxmemory is reached", "raise it, or delete something");
      case "MISCONF" ->
          said.contains("No space")
              ? new Failure(Kind.FULL, "the server's disk is full", "free space there")
              : new Failure(
                  Kind.IO, "the server cannot write its files", "see its log", Blocks.NOTHING);
      case "NOAUTH", "WRONGPASS" -> badPassword();
      case "NOPERM" ->
          new Failure(Kind.ARGUMENT, "a right is missing", "grant it to the URL's user");
      case "READONLY" ->
          new Failure(Kind.ARGUMENT, "the server is a replica", "use the one that it follows");
      case "WRONGTYPE" ->
          new Failure(Kind.ARGUMENT, "the key's value is not a string", "use another database");
      case "LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN" ->
          new Failure(Kind.IO, "the server is not ready", "try again", Blocks.NOTHING);
      case "MOVED", "ASK", "CROSSSLOT" ->
          new Failure(Kind.ARGUMENT, "the server is part of a cluster", "use a single server");
      default ->
          said.contains("AUTH")
              ? badPassword()
              : said.contains("DB index")
                  ? new Failure(
                      Kind.ARGUMENT,
                      "there is no such database",
                      "use a lower number, or raise databases in the server's configuration")
                  : new Failure(Kind.OTHER, "the server refused a call", "");
    };
  }

  private static Failure badPassword() {
    return new Failure(
        Kind.ARGUMENT,
        "the server refuses the user or its password",
        "check the URL's user, and password_file or $REDISCLI_AUTH");
  }

  private static Failure unreachable(JedisConnectionException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    for (Throwable each : e.getSuppressed()) { // one for each address that the client tried
      cause = each;
    }
    return cause instanceof UnknownHostException
        ? new Failure(Kind.IO, "unknown host " + cause.getMessage(), "check the URL")
        : new Failure(
            Kind.IO,
            "the server does not answer, " + cause,
            "check host and port, and that the server runs");
  }
}
