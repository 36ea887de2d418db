package io.kvstadium.testing.promises;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.util.SafeEncoder;

/** A server over a store that loses nothing, and a client. */
final class Served implements AutoCloseable {
  private final Store store;
  private final Server server;
  private final Connection client;

  Served(Path directory, ServerOptions.Bound bound) {
    store = Stadium.open(Numbers.durable("rocksdb", directory));
    ServerOptions options = ServerOptions.DEFAULT.redisPort(0).httpPort(-1);
    server = Server.start(store, options.limits(options.limits().bound(bound)), _ -> {});
    client =
        new Connection(
            new HostAndPort("127.0.0.1", server.redisPort()),
            DefaultJedisClientConfig.builder().protocol(RedisProtocol.RESP2).build());
  }

  Served(Path directory) {
    this(directory, ServerOptions.Bound.NONE);
  }

  /** The reply to a command: a text, a number, a list of these, or {@code null}. */
  @Nullable Object ask(String command, Object... arguments) {
    CommandArguments request = new CommandArguments(() -> SafeEncoder.encode(command));
    Stream.of(arguments).map(Object::toString).forEach(request::add);
    Object reply = client.executeCommand(request);
    return reply == null ? null : SafeEncoder.encodeObject(reply);
  }

  String text(String command, Object... arguments) {
    return String.valueOf(ask(command, arguments));
  }

  long number(String command, Object... arguments) {
    Object reply = ask(command, arguments);
    return reply == null ? 0 : Long.parseLong(reply.toString());
  }

  List<?> list(String command, Object... arguments) {
    return ask(command, arguments) instanceof List<?> found ? found : List.of();
  }

  @Override
  public void close() {
    client.close();
    server.close();
    store.close();
  }
}
