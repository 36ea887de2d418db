package io.kvstadium.engine.qdbm;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class QdbmHashConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "qdbm:" + directory + "?type=hash";
  }
}
