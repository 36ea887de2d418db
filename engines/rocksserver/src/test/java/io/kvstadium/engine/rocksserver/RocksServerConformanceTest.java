package io.kvstadium.engine.rocksserver;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("full") // a legacy engine
class RocksServerConformanceTest extends EngineConformance {
  private final Map<Path, Served> servers = new ConcurrentHashMap<>();

  @Override
  protected String url(Path directory) {
    Served server = servers.computeIfAbsent(directory, _ -> new Served());
    return server.url() + "?keys=hex&durability=none";
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }

  @AfterEach
  void stop() {
    servers.values().forEach(Served::close);
  }
}
