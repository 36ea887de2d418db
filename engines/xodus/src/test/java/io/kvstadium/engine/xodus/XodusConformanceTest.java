package io.kvstadium.engine.xodus;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class XodusConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "xodus:" + directory + "?cache_size=16m";
  }
}
