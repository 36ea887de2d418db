package io.kvstadium.server.rocksserver;

import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.http.HttpProtocol;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** RocksServer's protocol, byte for byte. */
public final class RocksServerProtocol implements HttpProtocol {
  @Override
  public String name() {
    return "rocksserver";
  }

  @Override
  public Map<String, Consumer<Exchange>> routes(
      Executor executor,
      ServedBackups backups,
      HttpLimits limits,
      BiConsumer<String, byte[]> written) {
    return new RocksServerRoutes(executor, backups, limits, written).routes();
  }
}
