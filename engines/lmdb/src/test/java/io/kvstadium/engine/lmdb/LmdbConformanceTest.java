package io.kvstadium.engine.lmdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class LmdbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "lmdb:" + directory;
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}
