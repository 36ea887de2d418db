package io.kvstadium.engine.postgresql;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class PostgresqlConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestServer.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestServer.shared().url(directory);
  }

  @Override
  public boolean endConnections() throws Exception {
    TestServer.shared().endConnections();
    return true;
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}
