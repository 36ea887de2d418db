package io.kvstadium.engine.rocksserver;

import io.kvstadium.conformance.EngineConformance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("full") // a legacy engine
class RocksServerConformanceTest extends EngineConformance {
  private final Map<Path, FakeServer> servers = new ConcurrentHashMap<>();

  @Override
  protected String url(Path directory) {
    FakeServer server = servers.computeIfAbsent(directory, _ -> start());
    return server.url() + "?keys=hex&durability=none&client_name=" + directory.getFileName();
  }

  private static FakeServer start() {
    try {
      return FakeServer.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }

  @AfterEach
  void stop() throws IOException {
    for (FakeServer each : servers.values()) {
      each.close();
    }
  }
}
