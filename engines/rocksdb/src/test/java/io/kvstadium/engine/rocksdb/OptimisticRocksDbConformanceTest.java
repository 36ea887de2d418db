package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** With optimistic transactions, the default. */
class OptimisticRocksDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:" + directory + "?transactions=optimistic";
  }
}
