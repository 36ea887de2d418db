package io.kvstadium.engine.sparkey;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class SparkeyConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "sparkey:" + directory;
  }
}
