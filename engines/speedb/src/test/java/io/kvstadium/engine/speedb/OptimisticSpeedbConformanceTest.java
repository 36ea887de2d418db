package io.kvstadium.engine.speedb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With the default options. */
@Tag("full") // a legacy engine
class OptimisticSpeedbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "speedb:" + directory;
  }
}
