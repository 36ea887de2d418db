package io.kvstadium.engine.mvstore;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class MvstoreConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "mvstore:" + directory;
  }
}
