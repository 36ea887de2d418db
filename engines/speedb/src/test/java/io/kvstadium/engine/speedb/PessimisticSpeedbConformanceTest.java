package io.kvstadium.engine.speedb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** With locks. */
class PessimisticSpeedbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "speedb:" + directory + "?transactions=pessimistic";
  }
}
