package io.kvstadium.engine.cassandra;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("full")
class CassandraConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestNode.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestNode.shared().url(directory, "");
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}
