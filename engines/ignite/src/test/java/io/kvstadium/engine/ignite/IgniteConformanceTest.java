package io.kvstadium.engine.ignite;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

class IgniteConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestNode.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestNode.shared().url(directory);
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}
