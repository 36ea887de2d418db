package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** As by default. */
class OptimisticRocksDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:" + directory + "?transactions=optimistic";
  }
}
