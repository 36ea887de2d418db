package io.kvstadium.server.http;

import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A further protocol on the port of HTTP, beside {@code /v1}. It is in a module of its own, which
 * is loaded only if a server is asked for it, or that is always served.
 */
public interface HttpProtocol {
  /** Its name. */
  String name();

  /** Whether each server that has it on its class path speaks it, also if it was not asked for. */
  default boolean always() {
    return false;
  }

  /**
   * What starts executing a request, on the event loop, by the path of the request, or by {@code
   * /name/*} for all below a name. It may throw an {@link HttpException}.
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
   * Finds the protocols on the class path that a server speaks.
   *
   * @param name of the one that was asked for, {@code null} for none
   * @throws BadArgumentException if it is not there
   */
  static List<HttpProtocol> spoken(@Nullable String name) {
    List<HttpProtocol> spoken = new ArrayList<>();
    for (HttpProtocol each :
        ServiceLoader.load(HttpProtocol.class, HttpProtocol.class.getClassLoader())) {
      if (each.always() || each.name().equals(name)) {
        spoken.add(each);
      }
    }
    if (name != null && spoken.stream().noneMatch(each -> each.name().equals(name))) {
      throw new BadArgumentException(
          "there is no protocol %s: add kv-stadium-server-%s to the class path"
              .formatted(name, name));
    }
    return spoken;
  }
}
