package io.kvstadium.engine.redis;

import io.kvstadium.store.engine.Declarations;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Failure.Kind;
import java.net.UnknownHostException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** What a server's errors mean; the first word of each is its code. */
final class RedisErrors {
  private static final Map<String, Failure> ALL =
      Declarations.failures(RedisErrors.class.getResourceAsStream("failures.txt"));

  private RedisErrors() {}

  static @Nullable Failure of(Throwable thrown) {
    return switch (thrown) {
      case JedisConnectionException e -> unreachable(e);
      case JedisException e -> refused(String.valueOf(e.getMessage()));
      default -> null;
    };
  }

  private static Failure refused(String said) {
    String code =
        said.startsWith("MISCONF") && said.contains("No space") ? "full" : said.split("[ :]", 2)[0];
    String unknown =
        said.contains("AUTH") ? "AUTH" : said.contains("DB index") ? "no-database" : "";
    return ALL.getOrDefault(
        code, ALL.getOrDefault(unknown, new Failure(Kind.OTHER, "the server refused a call", "")));
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
