package io.kvstadium.engine.redis;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.ServerUrls;
import java.io.Serial;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** What a server's errors mean; the first word of each is its code. */
final class RedisErrors {
  private static final Map<String, Failure> ALL =
      Declarations.failures(RedisErrors.class.getResourceAsStream("failures.txt"));

  private RedisErrors() {}

  /** A connection broke while a change was under way. */
  static final class LostReply extends JedisException {
    @Serial private static final long serialVersionUID = 1;

    LostReply(JedisConnectionException cause) {
      super(cause.getMessage(), cause);
    }
  }

  static @Nullable Failure of(Throwable thrown) {
    return switch (thrown) {
      case LostReply _ -> ServerUrls.unanswered();
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

  /** The client tries each address of a host. */
  private static Failure unreachable(JedisConnectionException e) {
    Throwable[] each = e.getSuppressed();
    return ServerUrls.unreachable(each.length == 0 ? e : each[each.length - 1]);
  }
}
