package io.kvstadium.engine.memory;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class MemoryConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "memory:";
  }
}
