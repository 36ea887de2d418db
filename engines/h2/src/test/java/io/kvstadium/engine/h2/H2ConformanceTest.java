package io.kvstadium.engine.h2;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class H2ConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "h2:" + directory + "?lock_timeout=30s";
  }
}
