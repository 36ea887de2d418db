package io.kvstadium.engine.h2;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** The table of numbered rows. */
class H2CasketConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "h2:" + directory + "?schema=casket&lock_timeout=30s";
  }
}
