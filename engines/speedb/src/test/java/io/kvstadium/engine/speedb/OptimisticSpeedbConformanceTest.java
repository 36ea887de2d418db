package io.kvstadium.engine.speedb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** With the default options. */
class OptimisticSpeedbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "speedb:" + directory;
  }
}
