package io.kvstadium.engine.mapdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class HashMapDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "mapdb:" + directory + "?type=hash&durability=none";
  }
}
