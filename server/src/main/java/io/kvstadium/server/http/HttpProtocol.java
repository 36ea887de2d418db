package io.kvstadium.server.http;

import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.store.BadArgumentException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A further protocol on the port of HTTP, beside {@code /v1}. It is in a module of its own, which
 * is loaded only if a server is asked for it.
 */
public interface HttpProtocol {
  /** Its name. */
  String name();

  /**
   * What starts executing a request, on the event loop, by the path of the request. It may throw an
   * {@link HttpException}.
   *
   * @param backups of the store
   * @param limits as they are when the server starts
   * @param written receives the table's name and the key of each write, during its turn to write
   */
  Map<String, Consumer<Exchange>> routes(
      Executor executor,
      ServedBackups backups,
      HttpLimits limits,
      BiConsumer<String, byte[]> written);

  /**
   * Finds a protocol among those on the class path.
   *
   * @throws BadArgumentException if it is not there
   */
  static HttpProtocol named(String name) {
    for (HttpProtocol each :
        ServiceLoader.load(HttpProtocol.class, HttpProtocol.class.getClassLoader())) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    throw new BadArgumentException(
        "there is no protocol " + name + ": add kv-stadium-server-" + name + " to the class path");
  }
}
