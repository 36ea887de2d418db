package io.kvstadium.engine.speedb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("full") // a legacy engine
class SpeedbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "speedb:" + directory;
  }
}
