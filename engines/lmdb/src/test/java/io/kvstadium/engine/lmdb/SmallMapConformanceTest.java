package io.kvstadium.engine.lmdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** With a map that has to grow all the time. */
class SmallMapConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "lmdb:" + directory + "?map_size=1m";
  }
}
